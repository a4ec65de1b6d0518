"""Find the benchmarks by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import cast

from auditor.core.errors import NotFound
from benchmarks.cell import Cell
from benchmarks.row import Row

Run = Callable[[Path | None], Iterable[Row | Cell]]

_HERE = Path(__file__).resolve().parent


def available() -> list[str]:
    """Return the names of all benchmarks, sorted; of one with parts, the names of its parts.

    Examples
    --------
    >>> "cli" in available(), "degree-sparse" in available()
    (True, True)
    """
    return [name for benchmark in _benchmarks() for name in _runs(benchmark)]


def chosen(names: Sequence[str]) -> dict[str, Run]:
    """Return what to call for the benchmarks of these names, each once; all of them for none.

    Parameters
    ----------
    names : sequence of str
        A benchmark (``degree``) means all its parts; a part is named with it (``degree-sparse``), and several by how
        they begin (``microdata-losses``).

    Returns
    -------
    dict
        Each is called with the folder that has the cited networks as ``NAME.npz`` (arrays ``edges`` and ``n``) and
        tables as ``NAME.csv``, or None, and gives its figures as it measures them; it leaves out those whose instance
        is not there.

    Raises
    ------
    NotFound
        If there is no benchmark of a name.
    """
    benchmarks = _benchmarks()
    found: dict[str, Run] = {}
    for name in names or benchmarks:
        benchmark = name.split("-")[0]
        runs = _runs(benchmark) if benchmark in benchmarks else {}
        these = {part: run for part, run in runs.items() if f"{part}-".startswith(f"{name}-")}
        if not these:
            raise NotFound(f"no benchmark '{name}'; there are {', '.join(available())}")
        found |= these
    return found


def _benchmarks() -> list[str]:
    return sorted(path.stem.removeprefix("bench_") for path in _HERE.glob("bench_*.py"))


def _runs(benchmark: str) -> dict[str, Run]:
    """Return what to call for each part of a benchmark, or for the whole where it has none."""
    module = import_module(f"benchmarks.bench_{benchmark}")
    if hasattr(module, "PARTS"):
        return {f"{benchmark}-{part}": cast("Run", run) for part, run in module.PARTS.items()}
    return {benchmark: cast("Run", module.run)}
