"""What a NAME or FILE on the command line means."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput, NotFound
from auditor.core.kinds import kind_named
from auditor.core.subject import split_subject
from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.subjects.networks.repository import NetworkInfo
    from auditor.subjects.tables.repository import TableInfo


@dataclass(frozen=True, slots=True)
class Subject:
    """A network in the store (`stored`), in a file (`path`) or in a graph database (`live`): one of them is set."""

    stored: NetworkInfo | None = None
    """As it was found: what is recorded later must be about this one."""
    path: Path | None = None
    edge_table: bool = False
    """Whether the file is worked on with `--edge-table`."""
    live: str | None = None
    """Address and pattern of a graph database."""

    @property
    def shown(self) -> str:
        """How messages name it."""
        if self.live is not None:
            return self.live
        return self.stored.name if self.stored is not None else str(self.path)

    @property
    def argument(self) -> str:
        """How a command that is suggested names it, quoted for a shell."""
        if self.stored is not None:
            return stored_argument(self.shown)
        return shlex.quote(self.shown) + (" --edge-table" if self.edge_table else "")


def find_network(context: Context, argument: str) -> Subject:
    """Return what an argument means: a stored network, or a file.

    `network:NAME` is always a stored network. What has a folder in it or ends like a known format is always a file: the
    store is not asked, nor started. Otherwise a stored network of that name is meant, or else a file.

    Raises
    ------
    NotFound
        If there is neither.
    BadInput
        If it is a table.
    StoreUnavailable
        If the store has to be asked and cannot be.
    """
    from auditor.config.addresses import is_graph_address
    from auditor.subjects.networks.repository import Networks

    if is_graph_address(argument):
        # without repeating it: it may hold a password
        raise BadInput("that is the address of a graph database; add it first: auditor network add NAME --from URL")

    def is_stored(name: str) -> bool:
        return Networks(context.store).exists(name)

    found = name_or_path(argument, "network", "a stored network", is_path=_is_plainly_a_path, is_stored=is_stored)
    return Subject(path=found) if isinstance(found, Path) else Subject(stored=Networks(context.store).show(found))


def name_or_path(
    argument: str, kind: str, one: str, *, is_path: Callable[[str], bool], is_stored: Callable[[str], bool]
) -> str | Path:
    """Return the name of a stored subject of a kind, or the file, that an argument means; the store is asked last.

    Parameters
    ----------
    argument : str
    kind : str
    one : str
        How messages name a stored subject of that kind.
    is_path : callable
        Whether an argument is always a file.
    is_stored : callable
        Whether there is a stored subject of that name.

    Raises
    ------
    NotFound
        If there is neither.
    BadInput
        If it is a subject of another kind.
    """
    found, name = split_subject(argument)
    if found == kind:
        return name
    check_not_of_another_kind(argument, found, kind_named(kind).plural)
    path = Path(argument)
    if is_path(argument):
        if not path.exists():
            raise NotFound(
                f"{argument} does not exist; check the path ({one}: {kind}:{argument})", wanted=("file", argument)
            )
        return path
    if is_stored(argument):
        return argument
    if path.exists():
        return path
    raise NotFound(f"{argument!r} is neither {one} nor a file; see 'auditor {kind} list'", wanted=(kind, argument))


def find_table(context: Context, argument: str) -> TableInfo:
    """Return the stored table that an argument means, `NAME` or `table:NAME`.

    Raises
    ------
    NotFound
        If there is none of that name.
    BadInput
        If it is a network.
    StoreUnavailable
        If the store cannot be asked.
    """
    from auditor.subjects.tables.repository import Tables

    kind, name = split_subject(argument)
    if kind != "table":
        check_not_of_another_kind(argument, kind, "tables")
        name = argument
    if Path(argument).is_file() and not Tables(context.store).exists(name):
        raise NotFound(
            f"{argument} is a file; add it to the store first: auditor table add NAME {shlex.quote(argument)}"
        )
    return Tables(context.store).show(name)


def stored_argument(name: str) -> str:
    """Return how a stored network is named on a command line, quoted for a shell.

    Examples
    --------
    >>> stored_argument("friends"), stored_argument("a/b")
    ('friends', 'network:a/b')
    >>> print(stored_argument("my friends"))
    'my friends'
    """
    return shlex.quote(f"network:{name}" if _is_plainly_a_path(name) else name)


def check_not_of_another_kind(argument: str, kind: str | None, wanted: str) -> None:
    """Refuse a subject of a kind that has commands of its own; what else begins like one may be a name or a file.

    Raises
    ------
    BadInput
        If it is one.
    """
    if kind is not None and kind_named(kind).commands is not None:
        raise BadInput(f"{argument!r} is a {kind}, and this command is about {wanted}; see 'auditor {kind} --help'")


def _is_plainly_a_path(argument: str) -> bool:
    from auditor.formats.networks.registry import format_of_name

    return "/" in argument or format_of_name(Path(argument).name) is not None
