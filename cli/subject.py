"""What a NAME or FILE on the command line means."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from auditor.errors import NotFound
from cli.context import Context

__all__ = ["Subject", "find_network"]

_PREFIX = "network:"


@dataclass(frozen=True, slots=True)
class Subject:
    """A network in the store (`name`) or in a file (`path`): one of the two is set."""

    name: str | None
    path: Path | None

    @property
    def shown(self) -> str:
        """How messages name it."""
        return self.name if self.name is not None else str(self.path)


def find_network(context: Context, argument: str) -> Subject:
    """Return what an argument means: a stored network, or a file.

    `network:NAME` is always a stored network. What has a folder in it or ends like a known format is always a file: the
    store is not asked, nor started. Otherwise a stored network of that name is meant, or else a file.

    Raises
    ------
    NotFound
        If there is neither.
    StoreUnavailable
        If the store has to be asked and cannot be.
    """
    if argument.startswith(_PREFIX):
        return Subject(argument.removeprefix(_PREFIX), None)
    path = Path(argument)
    if _is_plainly_a_path(argument):
        if not path.exists():
            raise NotFound(f"{argument} does not exist; check the path (a stored network: {_PREFIX}{argument})")
        return Subject(None, path)
    if context.store.networks.exists(argument):
        return Subject(argument, None)
    if path.exists():
        return Subject(None, path)
    raise NotFound(f"{argument!r} is neither a stored network nor a file; see 'auditor network list'")


def _is_plainly_a_path(argument: str) -> bool:
    from auditor.formats.registry import format_of_name

    return "/" in argument or format_of_name(Path(argument).name) is not None
