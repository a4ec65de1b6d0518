"""What the rules of audits ask, in words."""

from collections.abc import Mapping
from functools import cache

from auditor.policy import known_keys


@cache
def rules_in_words() -> Mapping[str, str]:
    """Return what a key of the policy asks, by the name that findings have for it.

    Examples
    --------
    >>> rules_in_words()["min_width"]
    'the smallest and the largest possible count are at least this far apart'
    """
    return {key.name.rpartition(".")[2]: key.asks for key in known_keys()}
