"""How commands that audit end: what they found as a file for another program, and the exit code."""

from collections.abc import Collection, Iterable
from pathlib import Path

import typer


def hand_over(text: str, out: Path | None) -> None:
    """Write a text to a file, or to standard output as it is."""
    if out is None:
        print(text, end="")
    else:
        out.write_text(text, encoding="utf-8")


def end(verdicts: Iterable[str], failures: Collection[str]) -> None:
    """End a command by what was found.

    Raises
    ------
    typer.Exit
        With 3 where something could not be audited or is undecided, or else with 1 where a policy is violated.
    """
    found = set(verdicts)
    if failures or "undecided" in found:
        raise typer.Exit(3)
    if "violated" in found:
        raise typer.Exit(1)
