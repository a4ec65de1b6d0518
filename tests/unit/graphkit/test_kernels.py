"""Kernels compile when they are called, and their source says the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.kernels import in_place, kernel
from graphkit.tables.propagation import _sweeps
from graphkit.tables.propagation.merged_cells import MergedCells
from graphkit.tables.propagation.shuttle import MergedBounds, shuttle


@kernel
def _halved(number: int) -> int:
    return number // 2


@kernel
def _steps(number: int) -> int:
    steps = 0
    while number > 0:
        number = _halved(number)
        steps += 1
    return steps


def test_few_steps_are_interpreted_with_the_kernels_they_call() -> None:
    assert _steps.of_work(1)(40) == 6
    assert _steps._compiled is None
    assert _halved._compiled is None


def test_a_kernel_that_failed_leaves_the_others_compiled() -> None:
    @kernel
    def failing(number: int) -> int:
        raise ValueError(number)

    with pytest.raises(ValueError, match="3"):
        failing.of_work(1)(3)
    assert _halved(8) == 4
    assert _halved._compiled is not None


def test_a_kernel_in_place_makes_no_array() -> None:
    @in_place
    def added(numbers: NDArray[np.int64]) -> int:
        numbers[0] += 1
        return int(numbers[0])

    @in_place
    def made(number: int) -> int:
        return int(np.zeros(number).size)

    numbers = np.array([4, 7])
    assert (added(numbers), numbers[0]) == (5, 5)
    with pytest.raises(NumbaError):
        made(3)


def test_a_kernel_in_place_returns_no_array() -> None:
    def first(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        return numbers[:1]

    with pytest.raises(TypeError, match="first must return a number or nothing"):
        in_place(first)


def counts(shape: tuple[int, ...]) -> st.SearchStrategy[NDArray[np.int64]]:
    size = int(np.prod(shape))
    return st.lists(st.integers(0, 2**26), min_size=size, max_size=size).map(lambda c: np.array(c).reshape(shape))


@given(st.sampled_from([(2, 2, 2), (2, 3, 2), (3, 2)]).flatmap(counts))
@settings(deadline=None, max_examples=25)
def test_bounds_are_the_same_interpreted_and_compiled(table: NDArray[np.int64]) -> None:
    axes = range(table.ndim)
    marginals = {(a,): table.sum(axis=tuple(b for b in axes if b != a)) for a in axes}

    def bounded() -> MergedBounds:
        return shuttle(MergedCells.of_shape(table.shape), marginals, int(table.sum()), budget=Budget())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_sweeps._sweep, "_compiled", None)
        interpreted = bounded()
        assert _sweeps._sweep._compiled is None
    _sweeps._sweep._loaded()
    compiled = bounded()
    for one, other in ((interpreted.lower, compiled.lower), (interpreted.upper, compiled.upper)):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert (interpreted.settled, interpreted.inconsistent) == (compiled.settled, compiled.inconsistent)


_SOURCE = """
from typing import NamedTuple
from graphkit.kernels import compiled

class {name}(NamedTuple):
    start: int

@compiled
def first(where):
    return where.start

print(first({name}(7)))
"""


def test_code_that_an_earlier_version_kept_is_compiled_anew(tmp_path: Path) -> None:
    """Its index names a class that is gone."""
    module = tmp_path / "kept.py"
    for name in ("Before", "After"):
        module.write_text(_SOURCE.format(name=name))
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import kept"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr


_KERNELS = """
from graphkit.kernels import compiled, tell_when_compiling

kernels = [compiled(function) for function in [{functions}]]
told = []
tell_when_compiling(lambda: told.append(1))
for kernel in kernels:
    kernel(1)
print(len(told))
"""


def test_it_is_told_once_that_kernels_are_compiled_and_not_when_they_are_kept(tmp_path: Path) -> None:
    names = [f"f{number}" for number in range(5)]
    functions = "".join(f"def {name}(n):\n    return n\n" for name in names)
    (tmp_path / "several.py").write_text(functions + _KERNELS.format(functions=", ".join(names)))
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import several"
    said = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in "12"]
    assert said == ["1\n", "0\n"]


def test_a_kernel_is_compiled_anew_when_what_it_calls_has_changed(tmp_path: Path) -> None:
    # Numba looks at the file of the kernel that is called: the old number came
    (tmp_path / "called.py").write_text(CALLED.format(number=1))
    (tmp_path / "calling.py").write_text(CALLING)
    command = [sys.executable, "-c", CALL]

    def told() -> str:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert told() == "1 1"
    (tmp_path / "called.py").write_text(CALLED.format(number=20))
    assert told() == "20 20"


CALLED = """
from graphkit.kernels import compiled

NUMBER = {number}


@compiled
def number() -> int:
    return NUMBER
"""
CALLING = """
from graphkit.called import NUMBER, number
from graphkit.kernels import compiled


@compiled
def both() -> tuple[int, int]:
    return number(), NUMBER
"""
CALL = """
import importlib.util, sys

for name in ("called", "calling"):
    spec = importlib.util.spec_from_file_location(f"graphkit.{name}", f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
print(*module.both())
"""
