"""Modules loaded without what they take only if it happens to be there."""

import contextlib
import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder


class _Absent(MetaPathFinder):
    """Finds modules before any other finder does, and says that they are not there."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def find_spec(self, name: str, path: object, target: object = None) -> None:
        if name in self._names:
            raise ModuleNotFoundError(f"{name} is not loaded here", name=name)


@contextlib.contextmanager
def without(*modules: str) -> Iterator[None]:
    """Let imports of these modules fail, unless they are loaded already."""
    finder = _Absent(modules)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


def load_arrow() -> None:
    """Load pyarrow without pandas, which it loads to ask whether a value is one of pandas'; that takes 0.2 s.

    It asks once. Where a table is to become one of pandas, it tries again and finds it.
    """
    if "pandas" not in sys.modules:
        with without("pandas"):
            import pyarrow

            pyarrow.scalar(True)
