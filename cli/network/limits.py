"""What limits an anonymization on the command line: who is protected, what must not change, what is out already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.terminal.context import Context
from graphkit.numbers import count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from auditor.formats.networks.loaded import LabelArray, LoadedNetwork
    from cli.terminal.output import Progress
    from graphkit.networks.variants.result import ConstrainedAnonymization

OnlyOption = Annotated[
    Path | None,
    typer.Option(
        "--only",
        help="Protect only the vertices in this file (an id a line, quoted as in CSV or as it is), among each other.",
    ),
]
ForbidEdgesOption = Annotated[
    Path | None, typer.Option("--forbid-edges", help="Never add the pairs in this file (two ids a line, as in CSV).")
]
ForbidVerticesOption = Annotated[
    Path | None,
    typer.Option("--forbid-vertices", help="Add and delete nothing at the vertices in this file (an id a line)."),
]
MaxIncreaseOption = Annotated[
    int | None, typer.Option("--max-increase", min=0, help="No degree may grow by more than this.")
]
PlausibleOption = Annotated[
    bool,
    typer.Option(
        "--plausible",
        metavar="",
        help="Among as many edges, prefer those that look as real as the original's; tell how well they do.",
    ),
]
AllowOption = Annotated[
    str, typer.Option("--allow", help="What may be done: add; or add,delete, which also switches edges.")
]
PreviousOption = Annotated[
    list[str] | None,
    typer.Option(
        "--previous",
        metavar="NAME|FILE",
        help="Hold against somebody who has this earlier release, too: of a stored network its newest export; or a "
        "released file, with --previous-key (repeatable).",
    ),
]
PreviousKeyOption = Annotated[
    list[Path] | None,
    typer.Option("--previous-key", help="Key file of a released file of --previous, in the same order (repeatable)."),
]


@dataclass(frozen=True, slots=True)
class Limits:
    """The options as they were given."""

    only: Path | None
    forbid_edges: Path | None
    forbid_vertices: Path | None
    max_increase: int | None
    plausible: bool
    allow: str
    previous: Sequence[str]
    previous_key: Sequence[Path]

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the options that say something."""
        said = {
            "--only": self.only,
            "--forbid-edges": self.forbid_edges,
            "--forbid-vertices": self.forbid_vertices,
            "--max-increase": self.max_increase,
            "--plausible": self.plausible or None,
            "--allow": None if self._allowed() == {"add"} else self.allow,
            "--previous": self.previous or None,
            "--previous-key": self.previous_key or None,
        }
        return tuple(name for name, value in said.items() if value is not None)

    @property
    def files(self) -> tuple[Path, ...]:
        """Files that are read, which an output must not replace."""
        lists = [path for path in (self.only, self.forbid_edges, self.forbid_vertices) if path is not None]
        return (*lists, *self.previous_key, *(Path(name) for name in self.previous if Path(name).exists()))

    def check(self, **others: object) -> None:
        """Refuse other options that do not go together with limits.

        Raises
        ------
        BadInput
            Naming the first one, or if `--allow` or `--previous-key` cannot be meant so.
        """
        from auditor.core.errors import BadInput

        self._allowed()
        if not self.given:
            return
        if self.previous and others.pop("keep", None):
            raise BadInput(
                "--keep does not go together with --previous: attributes beside degrees over several versions are not "
                "checked; leave out one of them"
            )
        others.pop("keep", None)
        for name, value in others.items():
            if value not in (None, False):
                option = f"--{name.replace('_', '-')}"
                raise BadInput(f"{option} does not go together with {self.given[0]}; leave out one of them")
        named = [name for name in self.previous if not name.startswith("network:") and Path(name).exists()]
        if len(named) != len(self.previous_key):
            raise BadInput(
                f"released files named with --previous: {len(named)}, keys given with --previous-key: "
                f"{len(self.previous_key)}; give the key of each file, in the same order"
            )

    def solve(
        self, context: Context, loaded: LoadedNetwork, k: int, seed: int, time_limit: float | None, bar: Progress
    ) -> tuple[ConstrainedAnonymization, list[str]]:
        """Return what the engine answers, and remarks.

        Raises
        ------
        BadInput
            If a file of a limit cannot be used; names a line, never a label.
        """
        import time

        from auditor.formats.networks.label_list import read_label_list, read_label_pairs
        from graphkit.networks import Constraints, anonymize_under

        labels, notes = loaded.labels, list[str]()
        earlier = self._earlier_degrees(context, labels, notes)
        constraints = Constraints(
            subset=None if self.only is None else read_label_list(self.only, labels),
            forbidden_edges=None if self.forbid_edges is None else read_label_pairs(self.forbid_edges, labels),
            forbidden_vertices=None if self.forbid_vertices is None else read_label_list(self.forbid_vertices, labels),
            max_increase=self.max_increase,
            earlier_degrees=earlier,
        )
        result = anonymize_under(
            loaded.graph,
            k,
            constraints,
            allow=self._allowed(),
            plausible=self.plausible,
            seed=seed,
            time_limit=time_limit,
            clock=time.monotonic,
            progress=bar.bounds,
        )
        return result, notes

    def _allowed(self) -> set[str]:
        from auditor.core.errors import BadInput

        allowed = {word.strip() for word in self.allow.split(",")}
        if allowed not in ({"add"}, {"add", "delete"}):
            raise BadInput("--allow must be add, or add,delete")
        return allowed

    def _earlier_degrees(self, context: Context, labels: LabelArray, notes: list[str]) -> NDArray[np.int64] | None:
        import numpy as np

        from auditor.subjects.networks.exports.earlier import earlier_degrees_by_key, earlier_degrees_by_store

        columns = []
        keys = iter(self.previous_key)
        for name in self.previous:
            if not name.startswith("network:") and Path(name).exists():
                columns.append(earlier_degrees_by_key(Path(name), next(keys), labels))
                continue
            degrees, out = earlier_degrees_by_store(context.store, name.removeprefix("network:"), labels)
            columns.append(degrees)
            if out > 1:
                notes.append(
                    f"exports of {name.removeprefix('network:')} that were released: {out}; the newest was heeded"
                )
        if columns:
            new = count(int((columns[-1] < 0).sum()))
            notes.append(f"vertices that the earlier release did not have: {new} of {count(labels.size)}")
        return np.column_stack(columns) if columns else None
