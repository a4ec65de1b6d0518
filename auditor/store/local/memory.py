"""How much memory the local server may be given: as the settings say, or more where a start needs more once.

After a full disk the end of the transaction log may be garbage, and what is read as the length of an entry up to 2 GB;
a large transaction that was not finished has to be read whole. Neither fits a heap that is large enough otherwise.
"""

import os
from pathlib import Path

OUT_OF_MEMORY = "OutOfMemoryError"
"""What the Java virtual machine prints when its heap is too small, before it ends."""
NEEDS_MEMORY = "it needs more memory than store.heap gives it"
"""Why a start failed then."""

_UNITS = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_FACTOR = 4
_SECOND = 4 << 30
"""The smallest heap of a second try: an entry has at most 2 GB, and is copied once."""
_SHARE = 0.75
_WORTH_A_TRY = 1.2


def parse_memory(text: str) -> int:
    """Return the bytes that a setting such as ``512m`` means.

    Examples
    --------
    >>> parse_memory("512m"), parse_memory("4g")
    (536870912, 4294967296)
    """
    return int(text[:-1]) * _UNITS[text[-1]]


def larger_heap(heap: str, limit: int) -> str | None:
    """Return the heap to try after one that was too small; None where the machine has no more to give.

    Parameters
    ----------
    heap : str
        That was too small, such as ``1g``.
    limit : int
        Bytes that the machine can give.

    Examples
    --------
    >>> larger_heap("1g", 100 << 30), larger_heap("4g", 100 << 30), larger_heap("1g", 3 << 30)
    ('4096m', '16384m', '3072m')
    >>> larger_heap("4g", 4 << 30) is None
    True
    """
    tried = parse_memory(heap)
    wanted = min(max(_FACTOR * tried, _SECOND), limit)
    return f"{wanted >> 20}m" if wanted >= _WORTH_A_TRY * tried else None


def memory_limit() -> int:
    """Return the bytes that a heap may have now: most of what is free on the machine, or in its container."""
    free = [_available(Path("/proc/meminfo")), *_free_of_groups(Path("/sys/fs/cgroup"))]
    known = [number for number in free if number is not None]
    if not known:
        known = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    return int(_SHARE * min(known))


def _available(meminfo: Path) -> int | None:
    try:
        for line in meminfo.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    except (OSError, ValueError, IndexError):
        pass
    return None


def _free_of_groups(folder: Path) -> list[int | None]:
    """Return what the limits of the control group leave, in its second and its first version."""
    return [
        _difference(folder / "memory.max", folder / "memory.current"),
        _difference(folder / "memory" / "memory.limit_in_bytes", folder / "memory" / "memory.usage_in_bytes"),
    ]


def _difference(limit: Path, used: Path) -> int | None:
    try:
        return max(int(limit.read_text(encoding="ascii")) - int(used.read_text(encoding="ascii")), 0)
    except (OSError, ValueError):
        # there is none, or it says "max"
        return None
