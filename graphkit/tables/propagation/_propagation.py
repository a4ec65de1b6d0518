"""Both sides of the sums among merged cells, as far as a block of cells goes.

See :mod:`graphkit.tables.propagation.shuttle`.
"""

from typing import NamedTuple

from graphkit.arrays import Ints
from graphkit.kernels import kernel

_SHORT = 6


class Sums(NamedTuple):
    """The sums of some axes, one after the other."""

    sizes: Ints
    """Number of sets of every axis, shape (a,)."""
    first: Ints
    """Where the sums of every axis begin, and where the last ends, shape (a+1,)."""
    whole: Ints
    first_part: Ints
    parts: Ints


@kernel
def tighten(lower: Ints, upper: Ints, sums: Sums, width: int) -> tuple[bool, bool]:
    """Apply every sum once to a block of cells; return whether a bound changed, and whether two crossed.

    The block has the axes of the sums, and `width` neighbouring cells behind them.
    """
    changed = lower.dtype.type(0)
    stride = lower.size
    for axis in range(sums.sizes.size):
        size = sums.sizes[axis]
        stride //= size
        for begin in range(0, lower.size, size * stride):
            for s in range(sums.first[axis], sums.first[axis + 1]):
                whole = begin + sums.whole[s] * stride
                first, last = sums.first_part[s], sums.first_part[s + 1]
                if last - first == 2:
                    one, two = begin + sums.parts[first] * stride, begin + sums.parts[first + 1] * stride
                    if stride < _SHORT:
                        changed |= _short_pair(lower, upper, whole, one, two, stride)
                    else:
                        changed |= _pair(lower, upper, whole, one, two, stride)
                else:
                    changed |= _many(lower, upper, whole, begin, sums.parts[first:last], stride)
    crossed = False
    for i in range(lower.size):
        crossed |= lower[i] > upper[i]
    return changed != 0, crossed


@kernel
def tightened(lower: Ints, upper: Ints, whole: int, one: int, two: int) -> tuple[int, int, int, int, int, int]:
    """Return the lower and upper bounds of a cell and its two parts, after their sum is used in all directions."""
    least, most = max(lower[whole], lower[one] + lower[two]), min(upper[whole], upper[one] + upper[two])
    least_one, most_one = max(lower[one], least - upper[two]), min(upper[one], most - lower[two])
    least_two, most_two = max(lower[two], least - most_one), min(upper[two], most - least_one)
    return least, most, least_one, most_one, least_two, most_two


@kernel
def _short_pair(lower, upper, whole, one, two, length):  # type: ignore[no-untyped-def]
    changed = lower.dtype.type(0)
    for i in range(length):
        w, a, b = whole + i, one + i, two + i
        lw, uw, la, ua, lb, ub = tightened(lower, upper, w, a, b)
        changed |= (lw ^ lower[w]) | (uw ^ upper[w]) | (la ^ lower[a])
        changed |= (ua ^ upper[a]) | (lb ^ lower[b]) | (ub ^ upper[b])
        lower[w], upper[w], lower[a], upper[a], lower[b], upper[b] = lw, uw, la, ua, lb, ub
    return changed


@kernel
def _pair(lower, upper, whole, one, two, length):  # type: ignore[no-untyped-def]
    """Six short loops over slices: each becomes one with vector instructions, all of them in one would not."""
    lw, la, lb = lower[whole : whole + length], lower[one : one + length], lower[two : two + length]
    uw, ua, ub = upper[whole : whole + length], upper[one : one + length], upper[two : two + length]
    changed = _raise_to_sum(lw, la, lb, length)
    changed |= _cut_to_sum(uw, ua, ub, length)
    changed |= _raise_to_rest(la, lw, ub, length)
    changed |= _cut_to_rest(ua, uw, lb, length)
    changed |= _raise_to_rest(lb, lw, ua, length)
    changed |= _cut_to_rest(ub, uw, la, length)
    return changed


@kernel
def _raise_to_sum(bound, one, two, length):  # type: ignore[no-untyped-def]
    changed = bound.dtype.type(0)
    for i in range(length):
        new = max(bound[i], bound.dtype.type(one[i] + two[i]))
        changed |= new ^ bound[i]
        bound[i] = new
    return changed


@kernel
def _cut_to_sum(bound, one, two, length):  # type: ignore[no-untyped-def]
    changed = bound.dtype.type(0)
    for i in range(length):
        new = min(bound[i], bound.dtype.type(one[i] + two[i]))
        changed |= new ^ bound[i]
        bound[i] = new
    return changed


@kernel
def _raise_to_rest(bound, whole, other, length):  # type: ignore[no-untyped-def]
    changed = bound.dtype.type(0)
    for i in range(length):
        new = max(bound[i], bound.dtype.type(whole[i] - other[i]))
        changed |= new ^ bound[i]
        bound[i] = new
    return changed


@kernel
def _cut_to_rest(bound, whole, other, length):  # type: ignore[no-untyped-def]
    changed = bound.dtype.type(0)
    for i in range(length):
        new = min(bound[i], bound.dtype.type(whole[i] - other[i]))
        changed |= new ^ bound[i]
        bound[i] = new
    return changed


@kernel
def _many(lower, upper, whole, begin, parts, length):  # type: ignore[no-untyped-def]
    changed = lower.dtype.type(0)
    for i in range(length):
        w = whole + i
        least = most = lower.dtype.type(0)
        for part in parts:
            p = begin + part * length + i
            least += lower[p]
            most += upper[p]
        changed |= (max(lower[w], least) ^ lower[w]) | (min(upper[w], most) ^ upper[w])
        lower[w], upper[w] = max(lower[w], least), min(upper[w], most)
        for part in parts:
            p = begin + part * length + i
            raised = max(lower[p], lower[w] - (most - upper[p]))
            cut = min(upper[p], upper[w] - (least - lower[p]))
            changed |= (raised ^ lower[p]) | (cut ^ upper[p])
            least += raised - lower[p]
            most += cut - upper[p]
            lower[p], upper[p] = raised, cut
    return changed
