"""The size of a block, refused where it cannot be meant."""

from typing import Any

from graphkit.errors import InvalidInput
from graphkit.parameters import is_whole


def check_block_size(k: Any) -> None:
    """Refuse what is no size of a block.

    Raises
    ------
    InvalidInput
        If `k` is no whole number or is below 2.
    """
    if not is_whole(k):
        raise InvalidInput(f"k must be a whole number of at least 2, not of type {type(k).__name__}")
    if k < 2:
        raise InvalidInput(f"k ({k}) must be at least 2")
