"""Two networks for `auditor network compare`: how they are read, matched and shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from auditor.exports.repository import Exports
from auditor.subjects.networks.exports.matching import match_by_key, match_by_store, was_changed
from cli.terminal.context import Context
from cli.terminal.output import Output
from cli.terminal.reading import Reading
from cli.terminal.subject import Subject, find_network
from graphkit.networks.risk.degree_risk import audit
from graphkit.networks.utility import Change, Comparison

_UNMATCHED = (
    "Which vertex is which is not known: only figures and distributions are compared. With --key FILE, "
    "also core numbers, ranks and communities vertex by vertex."
)


@dataclass(frozen=True, slots=True, eq=False)
class ComparedNetworks:
    """Two graphs, and which vertex of the second is which of the first."""

    graphs: tuple[Any, Any]
    published: Any = None
    matched_by: str | None = None
    """`key` or `store`; None where it is not known which vertex is which."""
    changed: Sequence[str] = ()
    """Files that are no longer what was published under their name."""


def compared_networks(
    context: Context, first: str, second: str, reading: Reading, key: Path | None
) -> ComparedNetworks:
    """Return the networks that two arguments mean, matched where that can be done.

    Raises
    ------
    BadInput
        If a network or the key file cannot be read, or they do not belong together.
    """
    subjects = find_network(context, first), find_network(context, second)
    networks = [reading.load_and_tell(context, subject) for subject in subjects]
    graphs = networks[0].graph, networks[1].graph
    changed = _changed(context, subjects)
    if key is not None:
        return ComparedNetworks(graphs, match_by_key(key, networks[0].labels, networks[1].labels), "key", changed)
    original, released = subjects
    if original.stored is not None and released.path is not None:
        name = original.stored.name
        published = match_by_store(context.store, name, released.path, networks[1].labels)
        if published is not None and published.size == networks[0].graph.n:
            return ComparedNetworks(graphs, published, "store", changed)
    return ComparedNetworks(graphs, changed=changed)


def _changed(context: Context, subjects: Sequence[Subject]) -> list[str]:
    """Return the files that were changed since they were published, and tell so."""
    stored = [subject.stored.name for subject in subjects if subject.stored is not None]
    exports = [export for name in stored for export in Exports(context.store).list(f"network:{name}")]
    changed = [s.shown for s in subjects if s.path is not None and s.stored is None and was_changed(s.path, exports)]
    for name in changed:
        context.output.note(f"{name} is no longer the file that was published: its checksum is not the recorded one")
    return changed


def figures_of(graphs: Sequence[Any], k: int, found: Comparison) -> list[Change]:
    """Return size and degree risk of two graphs, then their utility, as changes."""
    before, after = graphs
    risks = audit(before, k), audit(after, k)
    pairs = [
        ("vertices", before.n, after.n),
        ("edges", before.m, after.m),
        (f"vertices in blocks of fewer than {k}", risks[0].vertices_below_k, risks[1].vertices_below_k),
        ("vertices that are the only one of their degree", risks[0].unique_vertices, risks[1].unique_vertices),
        ("smallest block", risks[0].smallest_block, risks[1].smallest_block),
    ]
    rows = [Change(name, first, second) for name, first, second in pairs]
    return [*rows, *found.changes]


def tables_of(output: Output, names: tuple[str, str], rows: Sequence[Change], found: Comparison) -> list[Any]:
    """Return what a person sees of a comparison."""
    cells: list[tuple[object, ...]] = [(row.name, row.before, row.after, row.absolute, row.error) for row in rows]
    columns: tuple[str, ...] = ("figure", *names, "change", "±")
    if not any(row.error for row in rows):
        columns, cells = columns[:-1], [row[:-1] for row in cells]
    shown: list[Any] = [
        output.table(columns, cells),
        output.table(("distance, 0 is equal", "value"), [(d.name, d.value) for d in found.distances]),
    ]
    if found.agreements:
        heads = ("agreement vertex by vertex, 1 is the same", "value", "±", "two runs on the first")
        shown.append(output.table(heads, [(a.name, a.value, a.error, a.baseline) for a in found.agreements]))
    elif not found.paired:
        shown.append(_UNMATCHED)
    notes = dict.fromkeys(f"{row.name}: {row.note}" for row in rows if row.note)
    return [*shown, *(("\n".join(notes),) if notes else ())]
