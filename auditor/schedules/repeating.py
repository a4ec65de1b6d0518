"""Something that is done again and again in the background, for as long as a block runs."""

import contextlib
import threading
from collections.abc import Callable, Iterator

from auditor.core.errors import StoreError


@contextlib.contextmanager
def repeated(act: Callable[[], object], seconds: float, *, name: str, at_once: bool) -> Iterator[None]:
    """Do something each so many seconds while the block runs, until it returns False.

    A store that fails is not the end: the next time may succeed.

    Parameters
    ----------
    act : callable
        Runs in a thread of its own.
    seconds : float
        How long to wait in between.
    name : str
        Of the thread.
    at_once : bool
        Whether it is also done at the beginning.
    """
    over = threading.Event()

    def run() -> None:
        if not at_once and over.wait(seconds):
            return
        while True:
            with contextlib.suppress(StoreError):
                if act() is False:
                    return
            if over.wait(seconds):
                return

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
