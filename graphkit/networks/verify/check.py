"""What a verification answers: one named check for each promise."""

from collections.abc import Iterable
from dataclasses import dataclass

from graphkit.presentation import Presentable


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and whether it holds. The text holds no protected value."""

    name: str
    passed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Verification(Presentable):
    """All checks of one release."""

    checks: tuple[Check, ...]

    _figures = ("passed",)
    _derived = ("passed",)

    @property
    def passed(self) -> bool:
        """Whether every check holds."""
        return all(check.passed for check in self.checks)


def ids_check(passed: bool) -> Check:
    """Return the check that the ids of a file are 0 to n − 1."""
    return Check("vertices", passed, "the ids are 0 to n-1, each once" if passed else "the ids are not 0 to n-1")


def simplicity_check(faults: Iterable[bool]) -> Check:
    """Return the check of a simple graph; the faults are: an end that is no vertex, a loop, an edge twice."""
    texts = ("an edge names an id that is no vertex", "there is a loop", "an edge occurs twice")
    fault = next((text for text, found in zip(texts, faults, strict=True) if found), None)
    return Check("simple", fault is None, fault or "no loop, no edge twice, every end a vertex")


def degrees_check(k: int, passed: bool) -> Check:
    """Return the check that every degree is shared by k vertices."""
    text = f"every degree that occurs occurs at least {k} times"
    return Check("k-anonymous", passed, text if passed else f"a degree occurs fewer than {k} times")
