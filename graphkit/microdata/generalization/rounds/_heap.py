"""A binary heap in two arrays, for kernels: numbers with what they belong to, the least first."""

from graphkit.arrays import Floats, Ints
from graphkit.kernels import kernel


@kernel
def push(keys: Floats, items: Ints, size: int, key: float, item: int) -> int:
    """Add an item; return the new size. Equal keys come by item, the least first."""
    at = size
    while at > 0:
        above = (at - 1) // 2
        if keys[above] < key or (keys[above] == key and items[above] <= item):
            break
        keys[at] = keys[above]
        items[at] = items[above]
        at = above
    keys[at] = key
    items[at] = item
    return size + 1


@kernel
def pop(keys: Floats, items: Ints, size: int) -> int:
    """Remove the least item, which stands at 0 before; return the new size."""
    size -= 1
    key, item = keys[size], items[size]
    at = 0
    while True:
        below = 2 * at + 1
        if below >= size:
            break
        right = below + 1
        if right < size and (keys[right] < keys[below] or (keys[right] == keys[below] and items[right] < items[below])):
            below = right
        if key < keys[below] or (key == keys[below] and item <= items[below]):
            break
        keys[at] = keys[below]
        items[at] = items[below]
        at = below
    keys[at] = key
    items[at] = item
    return size
