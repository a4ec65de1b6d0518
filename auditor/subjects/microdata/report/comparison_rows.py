"""Rows of the tables that say what a release keeps of its original; nothing in them has a unit."""

from auditor.reports.names import readable
from graphkit.microdata.utility import Comparison
from graphkit.numbers import counted, figure, share, signed


def attribute_rows(found: Comparison) -> list[tuple[str, ...]]:
    """Return the rows of the attributes; nothing in them has a unit."""
    explained = {one.attribute: one for one in found.regressions}
    rows: list[tuple[str, ...]] = []
    for place, one in enumerate(found.attributes):
        regression = explained.get(place)
        rows.append(
            (
                readable(one.attribute),
                "–" if one.mean_shift is None else signed(one.mean_shift),
                "–" if one.variance_ratio is None else share(one.variance_ratio),
                "–" if one.kolmogorov_distance is None else figure(one.kolmogorov_distance),
                "–" if one.transport_distance is None else figure(one.transport_distance),
                "–" if regression is None else f"{share(regression.r2[0])} → {share(regression.r2[1])}",
            )
        )
    return rows


def relation_rows(found: Comparison) -> list[tuple[str, str]]:
    """Return what became of the relations of the attributes."""
    rows = []
    if found.correlations is not None:
        pair = readable(" and ".join(found.attributes[place].attribute for place in found.correlations.attributes))
        rows += [
            ("correlations moved, mean", figure(found.correlations.mean_correlation)),
            ("correlations moved, at most", f"{figure(found.correlations.largest_correlation)} ({pair})"),
        ]
    if found.regressions:
        largest = max(found.regressions, key=lambda one: one.largest)
        name = readable(found.attributes[largest.attribute].attribute)
        pairs = counted(len(found.regressions), "attribute", "attributes")
        rows.append((f"coefficients moved, at most, of {pairs}", f"{figure(largest.largest)} (explaining {name})"))
    return rows


def near_rows(found: Comparison) -> list[tuple[str, str, str]]:
    """Return how many original values lie near the published ones."""
    rows = []
    for of, near in (("a standard deviation", found.spread_disclosure), ("the ranks", found.rank_disclosure)):
        if near is not None:
            rows.append((f"within {share(near.width)} of {of}", share(near.values), share(near.records)))
    return rows
