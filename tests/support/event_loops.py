"""Coroutines of tests beside a browser of other tests, whose event loop runs in the main thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["run_aside"]

Result = TypeVar("Result")


def run_aside(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine to its end, in a thread and an event loop of its own."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
