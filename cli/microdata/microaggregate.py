"""`auditor microdata microaggregate`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.core.errors import BadInput
from cli.microdata.options import Delimiter, RoleOptions
from cli.microdata.policies import policy_for_microdata
from cli.terminal.completing import files_or, microaggregations
from cli.terminal.context import Context
from cli.terminal.names import as_names
from cli.terminal.options import EffortOption, GapOption
from cli.terminal.policy_option import PolicyOption, PresetOption

if TYPE_CHECKING:
    from auditor.subjects.microdata.exports.exporting import ExportedRecords


@dataclass(frozen=True, slots=True)
class Engine:
    """How the engine is to work: the names are its own."""

    method: Annotated[
        str,
        typer.Option(
            "--method",
            autocompletion=microaggregations,
            help="search; column-generation for a better bound; others to compare with.",
        ),
    ] = "search"
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Seed of the engine; the order of rows is not from it.")
    ] = 0
    effort: EffortOption = None
    time_limit: Annotated[
        float | None, typer.Option("--time-limit", help="Seconds for the engine; it then returns its best answer.")
    ] = None
    gap: GapOption = None


def microaggregate(
    context: Context,
    file: Annotated[str, typer.Argument(metavar="FILE", autocompletion=files_or("microdata"), help="A file.")],
    k: Annotated[int, typer.Option("--k", "-k", help="At least k records share the values of the attributes.")],
    *,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File to write: .csv, .tsv or .parquet.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", metavar="", help="Write nothing; show the figures.")] = False,
    force: Annotated[bool, typer.Option("--force", metavar="", help="Replace an existing --out.")] = False,
    key_file: Annotated[
        Path | None,
        typer.Option("--key-file", help="Also write original,published row numbers here, readable by you only."),
    ] = None,
    attribute: Annotated[
        list[Any] | None,
        typer.Option(
            "--attribute",
            metavar="A,B",
            parser=as_names,
            help="Columns to aggregate; by default the numbers among the quasi-identifiers, else all numbers.",
        ),
    ] = None,
    keep_integers: Annotated[
        bool, typer.Option("--keep-integers", metavar="", help="Round means of columns of whole numbers.")
    ] = False,
    engine: Engine,
    roles: RoleOptions,
    delimiter: Delimiter = None,
    policy: PolicyOption = None,
    preset: PresetOption = None,
) -> None:
    """Write a version in which at least k records share every combination of values; the written file is verified.

    Similar records form groups, and each takes the mean of its group. Direct identifiers do not leave, other columns
    leave as they are, and the rows are in a new order. With --policy or --preset, k must be no less than it requires.

    Example: auditor microdata microaggregate people.csv --k 5 --attribute age,income --out released.csv
    """
    from auditor.formats.records import open_records
    from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, check_request, export_records
    from cli.microdata.microaggregated import answer_microaggregated

    path = _file(file)
    if out is None and not dry_run:
        raise BadInput("say where to write with --out FILE, or --dry-run for the figures alone")
    if policy is not None or preset is not None:
        required = policy_for_microdata(context, policy, preset).microdata.k
        if k < required:
            raise BadInput(f"--k {k} is less than the policy requires ({required}); raise it")
    request = MicroaggregationRequest(
        k,
        None if dry_run else out,
        roles.declared(),
        tuple(name for names in attribute or () for name in names),
        keep_integers,
        force,
        key_file,
        asdict(engine),
    )
    check_request(request, path)
    with (
        context.output.progress("microaggregate") as bar,
        open_records(path, context.settings.edge_table, delimiter=delimiter) as opened,
    ):
        result: ExportedRecords = export_records(opened, request, phase=bar.phase, progress=bar.bounds)
    answer_microaggregated(context.output, str(path), result)


def _file(argument: str) -> Path:
    from auditor.core.errors import NotFound

    path = Path(argument)
    if argument.startswith("microdata:"):
        raise BadInput("exports of stored microdata are not recorded yet; give the file itself")
    if not path.exists():
        raise NotFound(f"{argument} does not exist; check the path")
    return path
