"""Data on stdout, everything else on stderr; tables for people, one JSON object for machines."""

from __future__ import annotations

import dataclasses
import json
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphkit.kernels import tell_when_compiling

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import TaskID
    from rich.table import Table

    from graphkit.verification import Check

_PAGE = 100
"""Columns of a page of prose."""
_COMPILING = "the engine is compiled for this machine, once: that may take a minute or two"


@dataclasses.dataclass
class Output:
    """Where a command writes; `--json` and `--quiet` have decided how.

    stdout gets the answer and nothing else: one JSON object with `--json`, otherwise tables and lines.
    stderr gets notes (not with `--quiet` or `--json`) and progress bars (only on a terminal).
    """

    json: bool = False
    quiet: bool = False
    _running: Progress | None = None
    _with_answer: list[str] = dataclasses.field(default_factory=list)

    def answer(self, data: Mapping[str, Any], *shown: RenderableType) -> None:
        """Print the answer of a command: `data` with `--json`, otherwise the renderables or strings `shown`.

        Parameters
        ----------
        data : mapping
            Everything a script may want; NumPy values, paths, times and data classes are converted.
        *shown : rich renderables or str
            What a person sees; strings are printed as they are, without markup.
        """
        self.note(*self._with_answer)
        self._with_answer.clear()
        if self.json:
            from auditor.core.plain import plain

            print(json.dumps(plain(data), ensure_ascii=False, allow_nan=False, indent=2))
            return
        if self._running is not None:
            self._running.close()  # nothing is to stand on the line of the bar
        console = _console(sys.stdout)
        for position, item in enumerate(shown):
            if position and not (isinstance(item, str) and isinstance(shown[position - 1], str)):
                console.print()
            console.print(printable(item) if isinstance(item, str) else item)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[object]], *, title: str | None = None) -> Table:
        """Return a table for :meth:`answer`; numbers are set right-aligned, an empty list says so."""
        from rich import box
        from rich.table import Table

        table = Table(*columns, title=title, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        cells = [list(row) for row in rows]
        for index, column in enumerate(table.columns):
            if cells and all(isinstance(row[index], int | float) for row in cells):
                column.justify = "right"
        for row in cells:
            table.add_row(*(_cell(value) for value in row))
        if not cells:
            table.caption, table.caption_justify = "none", "left"
        return table

    def checks(
        self,
        checks: Iterable[Check],
        about: str,
        not_checked: Iterable[tuple[str, str]] = (),
        *,
        title: str | None = None,
    ) -> Table:
        """Return the table of a verification for :meth:`answer`, with what could not be checked, and why."""
        rows = [(check.name, "holds" if check.passed else "fails", check.text) for check in checks]
        rows += [(name, "not checked", why) for name, why in not_checked]
        return self.table(("check", "", about), rows, title=title)

    def page(self, table: Table) -> RenderableType:
        """Return a table of prose for :meth:`answer`: its cells are wrapped to a page, also where nobody watches."""
        from rich.constrain import Constrain

        return Constrain(table, _PAGE)

    def advice(self, *lines: str) -> list[str]:
        """Return what :meth:`answer` is to show of what to do next: nothing with `--quiet`."""
        return [] if self.quiet else list(lines)

    def note(self, *texts: str) -> None:
        """Say something on stderr, a line each, that is no part of the answer; silent with `--quiet` and `--json`."""
        if texts and not (self.quiet or self.json):
            console = self._running.console if self._running is not None else None
            (console or _console(sys.stderr)).print(*map(printable, texts), sep="\n")

    def note_with_answer(self, *texts: str) -> None:
        """Say something as :meth:`note` does, once there is an answer: what goes wrong before is one line alone."""
        self._with_answer += texts

    @contextmanager
    def progress(self, title: str) -> Iterator[Progress]:
        """Show a bar on stderr while the block runs, if stderr is a terminal and `--quiet` was not said."""
        if self._running is not None:
            # a bar within a bar is one more phase of the outer one
            self._running.phase(title)
            yield self._running
            return
        if self.quiet or not sys.stderr.isatty():
            yield Progress()
            return
        from rich import progress as bars

        columns = (
            bars.SpinnerColumn(),
            bars.TextColumn("{task.description}"),
            bars.BarColumn(bar_width=30),
            bars.TextColumn("{task.fields[detail]}"),
            bars.TimeElapsedColumn(),
        )
        with bars.Progress(*columns, console=_console(sys.stderr), transient=True) as display:
            self._running = Progress(display, display.add_task(title, total=None, detail=""), title)
            tell_when_compiling(lambda: self.note(_COMPILING))
            try:
                yield self._running
            finally:
                tell_when_compiling(None)
                self._running = None


class Progress:
    """A bar for one piece of work: its phase, how much is done, and the best answer with its bound.

    Without a display every method does nothing, so callers need not ask whether anybody watches.
    """

    def __init__(self, display: Any = None, task: TaskID | None = None, title: str = "") -> None:
        self._display, self._task, self._title = display, task, title
        self._phase = ""
        self._best: float | None = None
        self._proven: float | None = None

    @property
    def console(self) -> Console | None:
        """Where lines can be printed above the bar; None where there is no bar."""
        return self._display.console if self._display is not None else None

    def close(self) -> None:
        """Take the bar away."""
        if self._display is not None:
            self._display.stop()

    def phase(self, name: str, total: float | None = None) -> None:
        """Begin a phase of `total` units of work; without a total the bar only shows that work goes on."""
        self._phase, self._best, self._proven = name, None, None
        if self._display is not None:
            self._display.reset(self._task, total=total, description=f"{self._title}: {name}", detail="")

    def done(self, units: float) -> None:
        """Say that `units` of the phase are done by now."""
        if self._display is not None:
            self._display.update(self._task, completed=units)

    def report(self, what: str, done: int, total: int) -> None:
        """Say in one call what is being done, how much of it is done, and how much there is (0: unknown)."""
        if what != self._phase:
            self.phase(what, total or None)
        self.done(done)

    def bounds(self, phase: str, incumbent: float | None, bound: float | None) -> None:
        """Show what a search is doing, the size of its best answer, the proven bound on any answer, and the gap.

        The form in which engines report. What is None is not news: the last value stays, through all phases of the
        search, and so does the time that it has taken. :meth:`phase` begins something else.
        """
        self._best = self._best if incumbent is None else incumbent
        self._proven = self._proven if bound is None else bound
        if self._display is not None:
            description = f"{self._title}: {phase}"
            self._display.update(self._task, description=description, detail=_bounds(self._best, self._proven))


def printable(text: str) -> str:
    """Return the text with control characters other than newline and tab made visible.

    Examples
    --------
    >>> printable("a\\x1b[2Jb")
    'a\\\\x1b[2Jb'
    """
    # numbers of pages keep their unit on the line; at a terminal that would stand in the way of a search
    plain = text.replace("\N{NO-BREAK SPACE}", " ")
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode("ascii") for c in plain)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        from graphkit.numbers import figure

        return figure(value) if math.isfinite(value) else str(value)
    return printable(str(value)).replace("\n", "\\n")


def _console(stream: Any) -> Console:
    """Return a console for the stream as it is now; where nobody watches, no line is cut to a width."""
    from rich.console import Console

    return Console(file=stream, markup=False, highlight=False, emoji=False, width=None if stream.isatty() else 10_000)


def _bounds(best: float | None, proven: float | None) -> str:
    from graphkit.numbers import figure, share

    parts = ["" if best is None else f"best {figure(best)}", "" if proven is None else f"proven ≥ {figure(proven)}"]
    if best and proven is not None:
        parts.append(f"gap {share(max(best - proven, 0) / best)}")
    return printable(", ".join(filter(None, parts)))
