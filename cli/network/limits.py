"""What limits an anonymization on the command line: who is protected, what must not change, what is out already."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.core.errors import BadInput
from cli.terminal.context import Context
from cli.terminal.records import refuse_together, said
from graphkit.numbers import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from auditor.formats.networks.loaded import LabelArray
    from graphkit.networks.constraints import Constraints


@dataclass(frozen=True, slots=True)
class Limits:
    """The options as they were given."""

    only: Annotated[
        Path | None,
        typer.Option(
            "--only",
            help="Protect only the vertices in this file (an id a line, quoted as in CSV or as it is), among each "
            "other.",
        ),
    ] = None
    forbid_edges: Annotated[
        Path | None,
        typer.Option("--forbid-edges", help="Never add the pairs in this file (two ids a line, as in CSV)."),
    ] = None
    forbid_vertices: Annotated[
        Path | None,
        typer.Option("--forbid-vertices", help="Add and delete nothing at the vertices in this file (an id a line)."),
    ] = None
    max_increase: Annotated[
        int | None, typer.Option("--max-increase", min=0, help="No degree may grow by more than this.")
    ] = None
    allow: Annotated[
        str, typer.Option("--allow", help="What may be done: add; or add,delete, which also switches edges.")
    ] = "add"
    plausible: Annotated[
        bool,
        typer.Option(
            "--plausible",
            metavar="",
            help="Among answers with as many edges, prefer edges like the original's, and report how like they are.",
        ),
    ] = False
    previous: Annotated[
        list[str] | None,
        typer.Option(
            "--previous",
            metavar="NAME|FILE",
            help="Also protect against a reader of this earlier release: the newest export of a stored network, or a "
            "released file, with --previous-key (repeatable).",
        ),
    ] = None
    previous_key: Annotated[
        list[Path] | None,
        typer.Option(
            "--previous-key", help="Key file of a released file of --previous, in the same order (repeatable)."
        ),
    ] = None

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the options that say something."""
        adds_alone = self._allowed() == {"add"}
        return tuple(f"--{name.replace('_', '-')}" for name in said(self, but=("allow",) if adds_alone else ()))

    @property
    def files(self) -> tuple[Path, ...]:
        """Files that are read, which an output must not replace."""
        lists = [path for path in (self.only, self.forbid_edges, self.forbid_vertices) if path is not None]
        return (*lists, *(self.previous_key or ()), *(Path(name) for name in self._files_of_previous()))

    def check(self, keep: object, others: Mapping[str, object]) -> None:
        """Refuse other options that do not go together with limits.

        Raises
        ------
        BadInput
            Naming the first one, or if `--allow` or `--previous-key` cannot be meant so.
        """
        if not self.given:
            return
        if self.previous and keep:
            raise BadInput(
                "--keep does not go together with --previous: attributes beside degrees over several versions are not "
                "checked; leave out one of them"
            )
        refuse_together(self.given[0], others)
        files, keys = len(self._files_of_previous()), len(self.previous_key or ())
        if files != keys:
            raise BadInput(
                f"released files named with --previous: {files}, keys given with --previous-key: {keys}; give the key "
                "of each file, in the same order"
            )

    def engine(self, seed: int, time_limit: float | None) -> dict[str, Any]:
        """Return the settings of the engine."""
        return {"allow": self._allowed(), "plausible": self.plausible, "seed": seed, "time_limit": time_limit}

    def constraints(self, context: Context, notes: list[str], labels: LabelArray) -> Constraints:
        """Return what limits the engine, in vertices of the network with these labels; adds remarks to `notes`.

        Raises
        ------
        BadInput
            If a file of a limit cannot be used; names a line, never a label.
        """
        from auditor.formats.networks.label_list import read_label_list, read_label_pairs
        from graphkit.networks import Constraints

        return Constraints(
            earlier_degrees=self._earlier_degrees(context, labels, notes),
            subset=None if self.only is None else read_label_list(self.only, labels),
            forbidden_edges=None if self.forbid_edges is None else read_label_pairs(self.forbid_edges, labels),
            forbidden_vertices=None if self.forbid_vertices is None else read_label_list(self.forbid_vertices, labels),
            max_increase=self.max_increase,
        )

    def _allowed(self) -> set[str]:
        allowed = {word.strip() for word in self.allow.split(",")}
        if allowed not in ({"add"}, {"add", "delete"}):
            raise BadInput("--allow must be add, or add,delete")
        return allowed

    def _files_of_previous(self) -> list[str]:
        """Return the earlier releases that are files; `network:NAME` is a stored network, whatever file there is."""
        return [name for name in self.previous or () if not name.startswith("network:") and Path(name).exists()]

    def _earlier_degrees(self, context: Context, labels: LabelArray, notes: list[str]) -> NDArray[np.int64] | None:
        import numpy as np

        from auditor.subjects.networks.exports.earlier import earlier_degrees_by_key, earlier_degrees_by_store

        columns, files = [], self._files_of_previous()
        keys = iter(self.previous_key or ())
        for name in self.previous or ():
            if name in files:
                columns.append(earlier_degrees_by_key(Path(name), next(keys), labels))
                continue
            stored = name.removeprefix("network:")
            degrees, out = earlier_degrees_by_store(context.store, stored, labels)
            columns.append(degrees)
            if out > 1:
                notes.append(f"exports of {stored} that were released: {out}; the newest was heeded")
        if columns:
            new = count(int((columns[-1] < 0).sum()))
            notes.append(f"vertices that the earlier release did not have: {new} of {count(labels.size)}")
        return np.column_stack(columns) if columns else None
