"""What is checked of the graph in a file."""

from collections.abc import Iterable

from graphkit.verification import Check


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
