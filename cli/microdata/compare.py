"""`auditor microdata compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.microdata.options import OriginalReading, Reading
from cli.microdata.source import find_microdata_or_file, opened_records
from cli.terminal.completing import files_or
from cli.terminal.context import Context
from cli.terminal.names import as_names

if TYPE_CHECKING:
    from auditor.subjects.microdata.comparing import ComparedRecords
    from auditor.subjects.microdata.repository import MicrodataInfo
    from graphkit.arrays import Ints


def compare(
    context: Context,
    original: Annotated[
        str,
        typer.Argument(metavar="ORIGINAL", autocompletion=files_or("microdata"), help="Stored microdata or a file."),
    ],
    released: Annotated[
        str, typer.Argument(metavar="RELEASED", autocompletion=files_or("microdata"), help="The file to compare with.")
    ],
    *,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key",
            help="Key file that tells which row of RELEASED is which of ORIGINAL; an export of a stored ORIGINAL that "
            "kept its key needs none.",
        ),
    ] = None,
    attribute: Annotated[
        list[Any] | None,
        typer.Option(
            "--attribute",
            metavar="A,B",
            parser=as_names,
            help="Columns to compare; by default those that were aggregated, by the manifest, else all numbers.",
        ),
    ] = None,
    width: Annotated[
        float,
        typer.Option(
            "--width",
            min=0,
            max=1,
            help="Half of the intervals of interval disclosure: share of a spread, or of ranks.",
        ),
    ] = 0.05,
    sample: Annotated[
        int, typer.Option("--sample", min=2, help="Records that are linked where there are more; chosen by --seed.")
    ] = 10_000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Chooses those records.")] = 0,
    reading: OriginalReading,
) -> None:
    """Compare records with a release of them: what analyses keep, and what it tells of single records.

    Without a key it is not known which record is which: means, variances, distributions, correlations and regressions
    are compared. With it also record by record: information loss, record linkage, interval disclosure. No figure has a
    unit, so none shows a value of a record. Records that lack a value are left out, and counted.

    Example: auditor microdata compare people.csv released.csv

    Example: auditor microdata compare people.csv released.csv --key key.csv
    """
    from auditor.formats.records.roles import Roles
    from auditor.subjects.microdata.comparing import read_compared
    from auditor.subjects.microdata.exports.claimed import claimed_of
    from cli.microdata.comparison import answer_comparison
    from graphkit.microdata.utility import compare as compare_utility
    from graphkit.numbers import count

    before, after = find_microdata_or_file(context, original), find_microdata_or_file(context, released)
    claimed = claimed_of(after) if isinstance(after, Path) else None
    if claimed is not None and not claimed.unchanged:
        context.output.note(
            f"{released} is no longer the file that was published: its checksum is not the recorded one"
        )
    # the release has a delimiter of its own
    of_release = Reading(missing_text=reading.missing_text)
    with context.output.progress("compare") as bar:
        bar.phase("read")
        with opened_records(context, before, reading) as first, opened_records(context, after, of_release) as second:
            pair = read_compared(
                first,
                second,
                roles=Roles() if isinstance(before, Path) else before.declared,
                asked=[name for names in attribute or () for name in names],
                claimed=() if claimed is None else claimed.claim.numbers,
            )
        rows, matched_by = _matched(context, before, after, key, pair)
        bar.phase("measure")
        compared, unchanged = pair.complete(rows), pair.unchanged(rows)
        found = compare_utility(
            compared.original,
            compared.released,
            rows=compared.rows,
            names=compared.attributes,
            width=width,
            sample=sample,
            seed=seed,
        )
    if any(compared.incomplete):
        first_left, second_left = map(count, compared.incomplete)
        context.output.note(
            f"records that lack a value are left out of the comparison: {first_left} of {original}, {second_left} of "
            f"{released}"
        )
    changed = [released] if claimed is not None and not claimed.unchanged else []
    answer_comparison(context.output, (original, released), compared, found, matched_by, changed, unchanged)


def _matched(
    context: Context,
    before: Path | MicrodataInfo,
    after: Path | MicrodataInfo,
    key: Path | None,
    pair: ComparedRecords,
) -> tuple[Ints | None, str | None]:
    """Return which record of the release is which, and who tells: `key` or `store`; None where nobody does."""
    from auditor.subjects.microdata.exports.claimed import suppressed_of
    from auditor.subjects.microdata.exports.matching import rows_of_key, rows_of_store

    if key is not None:
        suppressed = suppressed_of(after) if isinstance(after, Path) else 0
        return rows_of_key(key, pair.original.shape[0], pair.released.shape[0], suppressed), "key"
    if isinstance(before, Path) or not isinstance(after, Path):
        return None, None
    rows = rows_of_store(context.store, before.name, after)
    return rows, None if rows is None else "store"
