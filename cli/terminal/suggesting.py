"""What somebody may have meant by a name that is not there."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path

from auditor.core.errors import NotFound
from cli.terminal.completing import stored_names
from cli.terminal.context import Context

# a smallest count is often called k
_CALLED = {"table.k": "table.threshold"}


def with_suggestion(error: NotFound, context: Context) -> NotFound:
    """Return the error with the stored name, or the file, that comes closest to the one that was not found."""
    with suppress(Exception):
        if error.wanted is not None and (meant := closest(error.wanted[1], _names(error.wanted[0], context, error))):
            return type(error)(f"{error}; did you mean {meant!r}?")
    return error


def closest(name: str, known: list[str]) -> str | None:
    """Return the known name that is most like a name; None where none is.

    Examples
    --------
    >>> closest("wikki", ["friends", "wiki"]), closest("Wiki", ["wiki"]), closest("x", ["wiki"])
    ('wiki', 'wiki', None)
    """
    plain = {one.lower(): one for one in known}
    found = get_close_matches(name.lower(), plain, n=1, cutoff=0.6)
    return plain[found[0]] if found else None


def likely_options(typed: str, known: Iterable[str], near: Sequence[str]) -> list[str]:
    """Return options that were perhaps meant, the likeliest first.

    Parameters
    ----------
    typed : str
    known : iterable of str
        All options of the command.
    near : sequence of str
        Those that differ from it by few letters.

    Examples
    --------
    >>> likely_options("--quasi", ["--quiet", "--quasi-identifier"], ["--quiet"])
    ['--quasi-identifier', '--quiet']
    """
    # a beginning is what people type of a long name; two dashes are the beginning of all
    longer = sorted(option for option in known if option.startswith(typed)) if len(typed) > len("--") else []
    return list(dict.fromkeys((*longer, *sorted(near))))


def rule_of_policy(typed: str, command: str) -> str | None:
    """Return the key of the policy that was given as if it were an option; None if it is none.

    Parameters
    ----------
    typed : str
    command : str
        The words of the command, such as ``auditor table request``.

    Examples
    --------
    >>> rule_of_policy("--k", "auditor table request"), rule_of_policy("--min-width", "auditor table lattice")
    ('table.threshold', 'table.min_width')
    >>> rule_of_policy("--widht", "auditor table request"), rule_of_policy("--k", "auditor")
    (None, None)
    """
    from auditor.policy import key_of

    section = command.split()[1:2]
    name = ".".join([*section, typed.strip("-").replace("-", "_")])
    name = _CALLED.get(name, name)
    return name if section and key_of(name) is not None else None


def _names(family: str, context: Context, error: NotFound) -> list[str]:
    if family == "file":
        path = Path(error.wanted[1]) if error.wanted is not None else Path()
        return [str(path.with_name(one.name)) for one in path.parent.iterdir()]
    # the store was asked before, or there would be no such error
    return stored_names(context.store, family)
