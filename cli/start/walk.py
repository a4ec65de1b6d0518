"""A walk from a file to a release: questions on the terminal, and the commands that are run."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from auditor.core.errors import AlreadyExists, BadInput
from cli.nested import run_nested
from cli.terminal.context import Context
from cli.terminal.output import printable

if TYPE_CHECKING:
    from auditor.policy import Policy

_REFUSED = 1
_PRESETS = ("internal", "research", "public")
NOT_COUNTED = (
    "\nNo store knows of this release, so none holds a later one of the same data against it. Before there is a second "
    "one, add the data to a store, and release from there."
)
"""What to say after a release that no store recorded."""


class WalkEnded(Exception):
    """A command could not be done, or what it made waits for a second person.

    Parameters
    ----------
    code : int
        Its exit code.
    """

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(slots=True)
class Walk:
    """One walk.

    Parameters
    ----------
    context : Context
    asks : bool
        Whether questions are asked; without, each proposal is taken.
    k : int, optional
        The smallest group; that of the policy by default.
    out : Path, optional
        Where the release goes; proposed beside the file by default.
    """

    context: Context
    asks: bool
    k: int | None = None
    out: Path | None = None
    commands: list[str] = field(default_factory=list)
    """What was run so far, as it can be typed."""
    ideas: list[str] = field(default_factory=list)
    """What can be done next."""
    released: Path | None = None
    """The verified file; None as long as there is none."""
    preset: str | None = None
    """The preset for those who get the release; None: the policy of the settings."""

    def say(self, text: str) -> None:
        """Say a sentence of the walk."""
        if not (self.context.output.json or self.context.output.quiet):
            print(printable(text), flush=True)

    def ask(self, question: str, proposal: str = "") -> str:
        """Return an answer, the proposal where only Enter was pressed."""
        if not self.asks:
            return proposal
        return str(typer.prompt(printable(question), default=proposal, show_default=bool(proposal))).strip()

    def choose(self, question: str, answers: Sequence[str], proposal: int) -> int:
        """Return which of some answers is chosen, by its place."""
        if not self.asks:
            return proposal
        self.say(question)
        for place, answer in enumerate(answers, 1):
            self.say(f"  {place}  {answer}")
        while True:
            given = self.ask("Number", str(proposal + 1))
            if given.isdecimal() and 1 <= int(given) <= len(answers):
                return int(given) - 1
            self.say(f"Choose a number from 1 to {len(answers)}.")

    def choose_columns(self, question: str, known: Sequence[str], proposal: Sequence[str]) -> tuple[str, ...]:
        """Return some of the columns of a file; a hyphen means none."""
        while True:
            given = self.ask(question, ",".join(proposal) or "-")
            chosen = () if given in ("-", "") else tuple(name.strip() for name in given.split(","))
            wrong = [name for name in chosen if name not in known]
            if not wrong:
                return chosen
            self.say(f"There is no column {wrong[0]!r}; choose among {', '.join(known)}, or - for none.")

    def place_for(self, path: Path, suffix: str | None = None) -> Path:
        """Return where a release goes: beside the file, under a name that is free.

        Raises
        ------
        AlreadyExists
            If the place that the walk was given is taken.
        """
        if self.out is not None:
            if self.out.exists():
                raise AlreadyExists(f"{self.out} is there already; name another file with --out")
            return self.out
        stem = path.name.split(".")[0]
        suffix = suffix if suffix is not None else path.name[len(stem) :]
        places = (
            path.with_name(f"{stem}-released{number}{suffix}") for number in ("", *(f"-{n}" for n in range(2, 1000)))
        )
        proposal = next(place for place in places if not place.exists())
        while True:
            place = Path(self.ask("Write it to", str(proposal)))
            if not place.exists():
                return place
            self.say(f"{place} is there already; choose another name.")

    def run(self, *arguments: str) -> bool:
        """Run a command, shown as it can be typed, and return whether the answer is yes.

        Raises
        ------
        WalkEnded
            If it could not be done, or waits for a second person; it said why.
        """
        command = shlex.join(["auditor", *arguments])
        self.commands.append(command)
        # a command opens the store for itself
        self.context.close()
        code = run_nested(self.context, arguments, printable(f"\n$ {command}"))
        if code not in (0, _REFUSED):
            raise WalkEnded(code)
        return code == 0

    @property
    def policy(self) -> Policy:
        """The policy for those who get the release, that of the settings, or the defaults."""
        from auditor.policy import preset_policy
        from cli.terminal.policy_option import policy_of

        return policy_of(self.context, None) if self.preset is None else preset_policy(self.preset)

    def ask_for_whom(self, section: str) -> None:
        """Ask who gets the release, which says how large groups must be, unless that was said."""
        from auditor.policy import preset_policy

        if not self.asks or self.k is not None:
            return
        people = ("people of the house", "researchers under an agreement", "the public")
        sizes = [int(getattr(preset_policy(name), section).k) for name in _PRESETS]
        known = f"whoever the policy is for (k = {getattr(self.policy, section).k})"
        answers = [f"{whom} (k = {k}, preset {name})" for whom, k, name in zip(people, sizes, _PRESETS, strict=True)]
        place = self.choose("Who gets the release? The more there are, the larger the groups.", [known, *answers], 0)
        self.preset = _PRESETS[place - 1] if place else None

    def smallest_group(self, section: str) -> int:
        """Return k: what was said, else what a section of the policy demands."""
        return int(getattr(self.policy, section).k) if self.k is None else self.k

    def then(self, *commands: str) -> None:
        """Propose commands for what can be done next."""
        self.ideas += commands


def check_can_ask(*, asks: bool) -> None:
    """Refuse to ask where nobody answers.

    Raises
    ------
    BadInput
        If there is no terminal to ask on.
    """
    if asks and not (sys.stdin is not None and sys.stdin.isatty()):
        raise BadInput("'auditor start' asks questions, and there is no terminal; --yes takes what it proposes")
