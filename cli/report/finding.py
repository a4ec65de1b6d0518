"""What a NAME or FILE means where it may be of any kind that has reports."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from auditor.core.errors import BadInput, NotFound
from auditor.core.kinds import SubjectKind, kind_named, kinds, part
from auditor.core.subject import split_subject
from cli.report.reporter import Reporter, ReportOptions
from cli.terminal.context import Context


def find_reported(context: Context, argument: str, options: ReportOptions) -> tuple[str, Reporter, str | Path]:
    """Return the kind of what an argument means, its reporter, and its stored name or file.

    `network:NAME` and `microdata:NAME` are always stored. What has a folder in it or ends like a known format is always
    a file: the store is not asked, nor started. Otherwise what is stored under that name is meant, or else a file.

    Raises
    ------
    NotFound
        If there is neither.
    BadInput
        If several kinds have that name, or it is of a kind without reports.
    StoreUnavailable
        If the store has to be asked and cannot be.
    """
    named, name = split_subject(argument)
    if named is not None:
        return named, reporter_of(kind_named(named)), name
    path = Path(argument)
    reporters = {kind.name: reporter_of(kind) for kind in kinds() if kind.report}
    recognized = [kind for kind, reporter in reporters.items() if reporter.recognizes(path, options)]
    # content tells what a name does not: the first kind of the registry looks at it
    of_file = recognized[0] if recognized else next(iter(reporters))
    if "/" in argument or recognized:
        if not path.exists():
            stored = " or ".join(f"{kind}:{argument}" for kind in reporters)
            raise NotFound(f"{argument} does not exist; check the path (stored: {stored})", wanted=("file", argument))
        return of_file, reporters[of_file], path
    stored_as = [kind for kind in kinds() if kind.commands is not None and _is_stored(context, kind, argument)]
    if len(stored_as) > 1:
        meant = " or ".join(f"{kind.name}:{argument}" for kind in stored_as)
        raise BadInput(f"{argument!r} is stored as several kinds of subjects; say which one: {meant}")
    if stored_as:
        return stored_as[0].name, reporter_of(stored_as[0]), argument
    if path.exists():
        return of_file, reporters[of_file], path
    lists = " and ".join(f"'auditor {kind} list'" for kind in reporters)
    raise NotFound(f"{argument!r} is neither stored nor a file; see {lists}", wanted=(of_file, argument))


def reporter_of(kind: SubjectKind) -> Reporter:
    """Return what writes the pages of a kind.

    Raises
    ------
    BadInput
        If it has none.
    """
    if not kind.report:
        have = " and ".join(other.plural for other in kinds() if other.report)
        instead = f"; {kind.shown_by}" if kind.shown_by else ""
        raise BadInput(f"there are reports about {have} only, not about {kind.plural}{instead}")
    return cast("type[Reporter]", part(kind.report))()


def _is_stored(context: Context, kind: SubjectKind, name: str) -> bool:
    try:
        kind.load().find(context.store, name)
    except NotFound:
        return False
    return True
