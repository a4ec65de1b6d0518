"""`auditor table verify`."""

from pathlib import Path
from typing import Annotated

import typer

from cli.table import options
from cli.terminal.context import Context


def verify(
    context: Context,
    name: options.Name,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Released counts, as `table request --out` wrote them.")],
) -> None:
    """Verify a released file of counts: was this marginal released, and is the file what was released?

    Every row and every count is held against what was released and against the stored table, by code that neither
    answers requests nor writes files; nothing may be missing or added. Rows and columns may be in another order. If the
    table has other data by now, the answer says which version of the data the file fits. A marginal that was not
    released is not compared with any count. Exit code 1 when a check fails.

    Example: auditor table verify survey sex-smoking.csv
    """
    from auditor.core.errors import NotFound
    from auditor.subjects.tables.releases.verifying import verify_released_marginal
    from cli.terminal.subject import find_table

    if not file.is_file():
        raise NotFound(f"{file} is no file; check the path")
    with context.output.progress("verify"):
        info = find_table(context, name)
        found = verify_released_marginal(context.store, info.name, file)
    checks = found.verification.checks
    passed = found.verification.passed
    said = "is what was released" if passed else "is not what was released"
    context.output.answer(
        {
            "table": info.name,
            "file": file,
            "marginal": found.marginal,
            "passed": passed,
            "versions": found.versions,
            "release": found.release,
            "follows_from": found.follows_from,
            "verification": checks,
            "not_checked": [{"name": what, "reason": why} for what, why in found.not_checked],
        },
        f"{file}: {found.marginal} of {info.name} {said}",
        context.output.checks(checks, "of the file", found.not_checked),
    )
    if not passed:
        raise typer.Exit(1)
