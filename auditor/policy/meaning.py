"""What is known about a key of a policy beside its type: why it is asked, and which of two values asks for more."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Direction = Literal["stricter", "laxer"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """Metadata of a field of a policy.

    Parameters
    ----------
    why : str
        The reason to ask for it: sentences for a person.
    stricter : {"higher", "lower", "more", "fewer"} or tuple of str, optional
        Which values ask for more, all other keys being equal: larger numbers (true is larger than false), smaller ones
        (none asks for nothing), longer or shorter lists, or the values from lax to strict. None where it is not known.
    sources : tuple of str
        Where the idea is from: keys of :data:`auditor.policy.sources.SOURCES`.
    optional : bool
        Whether none asks for nothing where larger numbers ask for more.
    """

    why: str
    stricter: Literal["higher", "lower", "more", "fewer"] | tuple[str, ...] | None = None
    sources: tuple[str, ...] = ()
    optional: bool = False


def direction_of(meaning: Meaning | None, before: Any, after: Any) -> Direction | None:
    """Return whether the later value of a key is stricter or laxer than the earlier one; None where that is not known.

    Examples
    --------
    >>> direction_of(Meaning("", "higher"), 3, 5)
    'stricter'
    >>> direction_of(Meaning("", "lower"), 0.1, None)
    'laxer'
    >>> direction_of(Meaning("", ("small", "all")), "named", "all")
    """
    rule = None if meaning is None else meaning.stricter
    if rule is None or before == after:
        return None
    if rule in ("more", "fewer"):
        held, holds = _members(before), _members(after)
        return _said(held < holds, held > holds, flipped=rule == "fewer")
    if (rule == "lower" or (meaning is not None and meaning.optional)) and (before is None or after is None):
        return "stricter" if before is None else "laxer"
    if isinstance(rule, tuple):
        if before not in rule or after not in rule:
            return None
        before, after = rule.index(before), rule.index(after)
    if not (isinstance(before, int | float) and isinstance(after, int | float)):
        return None
    return _said(before < after, before > after, flipped=rule == "lower")


def _members(value: Any) -> frozenset[Any]:
    return frozenset(value) if isinstance(value, Iterable) and not isinstance(value, str) else frozenset()


def _said(grew: bool, shrank: bool, *, flipped: bool) -> Direction | None:
    if grew == shrank:
        return None
    return "stricter" if grew != flipped else "laxer"
