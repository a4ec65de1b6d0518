"""What differs between two policies, also when one of them is older than this program."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from auditor.policy.keys import flat_values, key_of
from auditor.policy.meaning import Direction, direction_of


@dataclass(frozen=True, slots=True)
class Difference:
    """A key whose value is another one."""

    key: str
    before: Any
    after: Any
    """None, as above, also where the policy has no such key."""
    direction: Direction | None
    """Whether the later value asks for more, all other keys being equal; None where that is not known."""


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Difference, ...]:
    """Return the keys in which two policies differ, in the order of the first.

    Parameters
    ----------
    before, after : mapping
        The policies as JSON: :meth:`auditor.policy.Policy.text`, or what a store kept of one.

    Examples
    --------
    >>> differences({"network": {"k": 5}}, {"network": {"k": 10}})
    (Difference(key='network.k', before=5, after=10, direction='stricter'),)
    """
    old, new = flat_values(before), flat_values(after)
    found = []
    for name in [*old, *(name for name in new if name not in old)]:
        was, now = old.get(name), new.get(name)
        if was != now:
            key = key_of(name)
            found.append(Difference(name, was, now, direction_of(key.meaning if key else None, was, now)))
    return tuple(found)
