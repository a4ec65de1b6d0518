"""The answer that a page begins with."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it may go out, and why, in plain words."""

    good: bool
    headline: str
    sentences: tuple[str, ...]
    answer: str = ""
    """In a word or two; by default whether it passed."""
