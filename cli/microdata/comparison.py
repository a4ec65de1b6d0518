"""What `auditor microdata compare` answers; the lines about utility in other answers, too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from cli.terminal.output import Output
from graphkit.microdata.utility import Comparison, Linkage
from graphkit.numbers import count, figure, share

if TYPE_CHECKING:
    from auditor.subjects.microdata.comparing import ComparedRecords

_UNMATCHED = (
    "Which record is which is not known: only means, variances, distributions and relations are compared. With "
    "--key FILE, also information loss, record linkage and interval disclosure."
)


def answer_comparison(
    output: Output,
    names: tuple[str, str],
    compared: ComparedRecords,
    found: Comparison,
    matched_by: str | None,
    changed: Sequence[str],
    unchanged: Sequence[str],
) -> None:
    """Answer with all figures.

    Parameters
    ----------
    output : Output
    names : tuple of str
        Of both files.
    compared : ComparedRecords
    found : Comparison
    matched_by : str or None
        Who tells which record is which.
    changed : sequence of str
        Files that are no longer what was published.
    unchanged : sequence of str
        Attributes with the values that they had.
    """
    records = compared.original.shape[0], compared.released.shape[0]
    shown: list[Any] = [
        output.table(("figure", *names), _before_and_after(records, found)),
        output.table(
            ("attribute", "mean moved", "variance left", "largest gap of shares", "mean way"),
            [
                (
                    one.attribute,
                    one.mean_shift,
                    one.variance_ratio,
                    one.kolmogorov_distance,
                    one.transport_distance,
                )
                for one in found.attributes
            ],
            title="Attributes; means and ways in standard deviations",
        ),
    ]
    if unchanged:
        shown.append(f"Unchanged, with the same values in both files: {', '.join(unchanged)}")
    if found.regressions:
        rows = [
            (found.attributes[one.attribute].attribute, one.mean, one.largest, *map(share, one.r2))
            for one in found.regressions
        ]
        columns = ("attribute", "mean change of a coefficient", "largest", "explained before", "after")
        shown.append(output.table(columns, rows, title="Each attribute explained by all others"))
    shown.append(output.table(("release against original", "value"), _figures(found)))
    if not found.paired:
        shown.append(_UNMATCHED)
    data = {
        "microdata": list(names),
        "records": list(records),
        "incomplete": list(compared.incomplete),
        "matched_by": matched_by,
        "changed": list(changed),
        "unchanged": list(unchanged),
        **comparison_data(found),
    }
    output.answer(data, *shown)


def comparison_data(found: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON holds it: attributes by their names."""
    names = [one.attribute for one in found.attributes]
    data = {key: value for key, value in asdict(found).items() if key != "paired"}
    if found.correlations is not None:
        data["correlations"]["attributes"] = [names[place] for place in found.correlations.attributes]
    for one in data["regressions"]:
        one["attribute"] = names[one["attribute"]]
    return data


def _at_least(ratio: float) -> str:
    """Return a least share; one that is rounded to a limit says so by itself."""
    text = share(ratio)
    words = {"<": "less than ", ">": "more than "}.get(text[0], "at least ")
    return words + text.lstrip("<>\N{NO-BREAK SPACE}")


def utility_rows(found: Comparison) -> list[tuple[str, str]]:
    """Return the few lines that an answer about a protected version has on its utility and risk."""
    rows = []
    left = [(one.variance_ratio, one.attribute) for one in found.attributes if one.variance_ratio is not None]
    if left:
        ratio, name = min(left)
        rows.append(("variance left", f"{_at_least(ratio)} ({name})"))
    if found.correlations is not None:
        pair = " and ".join(found.attributes[place].attribute for place in found.correlations.attributes)
        rows.append(("correlations", f"moved by at most {figure(found.correlations.largest_correlation)} ({pair})"))
    if found.linkage is not None:
        rows.append(
            ("linked to the right record", f"{share(found.linkage.before)} before, {_linked(found.linkage)} after")
        )
    if found.spread_disclosure is not None:
        near = found.spread_disclosure
        within = f"within {share(near.width)} of a standard deviation"
        rows.append(("values near the published ones", f"{share(near.values)} ({within})"))
    return rows


def _linked(linkage: Linkage) -> str:
    return share(linkage.correct) + ("" if linkage.error is None else f" ± {share(linkage.error)}")


def _before_and_after(records: tuple[int, int], found: Comparison) -> list[tuple[str, str, str]]:
    rows = [("records", count(records[0]), count(records[1]))]
    if found.unique is not None:
        rows.append(("records alone with their values", share(found.unique[0]), share(found.unique[1])))
    if found.linkage is not None:
        rows.append(("linked to the right original record", share(found.linkage.before), _linked(found.linkage)))
    return rows


def _figures(found: Comparison) -> list[tuple[str, str]]:
    rows = []
    if found.information_loss is not None and found.absolute_loss is not None:
        rows += [
            ("information loss", f"{figure(found.information_loss)} %"),
            ("mean distance of values (IL1s)", figure(found.absolute_loss)),
        ]
    if found.correlations is not None:
        moved = found.correlations
        pair = " and ".join(found.attributes[place].attribute for place in moved.attributes)
        rows += [
            ("covariances moved, mean", figure(moved.mean_covariance)),
            ("correlations moved, mean", figure(moved.mean_correlation)),
            ("correlations moved, at most", f"{figure(moved.largest_correlation)} ({pair})"),
        ]
    if found.eigenvalues is not None:
        rows.append(("eigenvalues of the correlations moved, sum", figure(found.eigenvalues)))
    for of, near in (("a standard deviation", found.spread_disclosure), ("the ranks", found.rank_disclosure)):
        if near is not None:
            width = f"{share(near.width)} of {of}"
            rows += [
                (f"original values within {width}", share(near.values)),
                (f"records with all values within {width}", share(near.records)),
            ]
    return rows
