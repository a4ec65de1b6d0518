"""What the shell offers for an argument: names in the store, files, methods, presets.

It is asked at every press of the tabulator key: a local store that does not run is not started for it, a server has
two seconds to answer, and nothing that goes wrong is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cli.terminal.context import Context

if TYPE_CHECKING:
    from auditor.config import Settings
    from auditor.store import Store

Completer = Callable[[typer.Context, str], list[str]]

_SECONDS = 2.0
_MOST = 200


def stored(family: str) -> Completer:
    """Return a completer of the names of stored networks, tables or schedules."""

    def names(ctx: typer.Context, incomplete: str) -> list[str]:
        return _beginning(_names(ctx, family), incomplete)

    return names


def files_or(*families: str) -> Completer:
    """Return a completer of stored names and of files, for an argument that takes both."""

    def names(ctx: typer.Context, incomplete: str) -> list[str]:
        stored = [name for family in families for name in _names(ctx, family)]
        return [*_beginning(stored, incomplete), *files(incomplete)]

    return names


def subjects(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return what can be audited, as ``network:NAME``, ``table:NAME`` and ``export:ID``."""
    found: list[str] = []
    with suppress(Exception), _store(ctx) as store:
        from auditor.audits.subjects import all_subjects

        found = [f"{family}:{name}" for family, name in all_subjects(store.connection)]
    return _beginning(found, incomplete)


def methods(incomplete: str) -> list[str]:
    """Return the methods that make a network anonymous."""
    from graphkit.networks.methods.registry import METHODS

    return _beginning(sorted(METHODS), incomplete)


def microaggregations(incomplete: str) -> list[str]:
    """Return the methods that form groups of records."""
    from graphkit.microdata.microaggregation.registry import METHODS

    return _beginning(sorted(METHODS), incomplete)


def generalizations(incomplete: str) -> list[str]:
    """Return the methods that generalize records."""
    from graphkit.microdata.generalization.registry import METHODS

    return _beginning(sorted(METHODS), incomplete)


def presets(incomplete: str) -> list[str]:
    """Return the policies that come along."""
    from auditor.policy import PRESETS

    return _beginning(list(PRESETS), incomplete)


def aspects_of_knowledge(incomplete: str) -> list[str]:
    """Return what else than a degree an attacker may know."""
    from graphkit.networks.attackers.knowledge import KNOWLEDGE

    return _beginning([name for name in (*KNOWLEDGE, "all") if name != "degree"], incomplete)


def formats(incomplete: str) -> list[str]:
    """Return the formats of network files."""
    from auditor.formats.networks import known_formats

    return _beginning([info.name for info in known_formats()], incomplete)


def roles(incomplete: str) -> list[str]:
    """Return what somebody who has a token may be."""
    return _beginning(["viewer", "requester", "officer", "administrator"], incomplete)


def stored_names(store: Store, family: str) -> list[str]:
    """Return the names of what a store holds of a kind of subject, or of its schedules."""
    from auditor.audits.subjects import all_subjects
    from auditor.schedules.repository import Schedules

    if family == "schedule":
        return [one.name for one in Schedules(store).list()]
    return [name for kind, name in all_subjects(store.connection) if kind == family]


def _names(ctx: typer.Context, family: str) -> list[str]:
    with suppress(Exception), _store(ctx) as store:
        return stored_names(store, family)
    return []


@contextmanager
def _store(ctx: typer.Context) -> Iterator[Store]:
    """Give the store of a line that is being typed, if it answers at once."""
    from auditor.config import load_settings
    from auditor.store import open_store

    given = ctx.find_root().obj
    context = given if isinstance(given, Context) else Context()
    settings = load_settings(config=context.config_file, store=context.store_url)
    if not _answers_at_once(settings):
        raise LookupError
    patient = settings.store.model_copy(update={"connection_timeout": _SECONDS, "transaction_timeout": _SECONDS})
    with open_store(settings.model_copy(update={"store": patient})) as store:
        yield store


def _answers_at_once(settings: Settings) -> bool:
    from auditor.config import LOCAL
    from auditor.store.local import status

    return settings.store.url != LOCAL or status(settings).running


def _beginning(names: list[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)][:_MOST]


def files(incomplete: str) -> list[str]:
    """Return the files and folders that a path which is being typed may become."""
    folder, _, begun = incomplete.rpartition("/")
    place = Path(f"{folder}/" if "/" in incomplete else ".")
    prefix = incomplete[: len(incomplete) - len(begun)]
    with suppress(OSError):
        found = sorted(path for path in place.iterdir() if path.name.startswith(begun))
        shown = [path for path in found if begun or not path.name.startswith(".")]
        return [prefix + path.name + ("/" if path.is_dir() else "") for path in shown[:_MOST]]
    return []
