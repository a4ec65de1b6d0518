"""What every command is given: the options said anywhere on the line, the settings, the store and the output."""

from __future__ import annotations

import getpass
import os
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import typer

from cli.terminal.output import Output

if TYPE_CHECKING:
    from auditor.config import Settings
    from auditor.store import Store

_Held = TypeVar("_Held")


@dataclass
class Context:
    """One run of the program; commands have it as their parameter."""

    store_url: str | None = None
    config_file: Path | None = None
    output: Output = field(default_factory=Output)
    arguments: tuple[str, ...] = ()
    """As they stand on the command line."""
    _at_end: ExitStack = field(default_factory=ExitStack, repr=False)

    @cached_property
    def settings(self) -> Settings:
        """Settings from the defaults, the configuration file, the environment and `--store`, later ones first.

        Raises
        ------
        PolicyError
            If the configuration does not fit its schema.
        """
        from auditor.config import load_settings

        return load_settings(config=self.config_file, store=self.store_url)

    @cached_property
    def store(self) -> Store:
        """The store of these settings; the first use opens it and starts the local one if it is not running.

        Raises
        ------
        StoreUnavailable
            If it is not installed, not reachable or refuses the log-in.
        """
        from auditor.store import open_store

        with self.output.progress("store") as bar:
            return self._at_end.enter_context(open_store(self.settings, progress=bar.report))

    @property
    def actor(self) -> str:
        """Who runs the command, as the ledger records it: `AUDITOR_ACTOR`, or the name of the user on this machine."""
        try:
            return os.environ.get("AUDITOR_ACTOR") or getpass.getuser()
        except (KeyError, OSError):
            return f"uid {os.getuid()}"

    def until_end(self, resource: AbstractContextManager[_Held]) -> _Held:
        """Return what a context manager gives; it is left when the program ends."""
        return self._at_end.enter_context(resource)

    def close(self) -> None:
        """Close what was opened."""
        self._at_end.close()


def context_of(ctx: typer.Context) -> Context:
    """Return the context of the running command."""
    return cast(Context, ctx.find_root().obj)
