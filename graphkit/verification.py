"""What a verification answers: one named check for each promise."""

from dataclasses import dataclass

from graphkit.presentation import Presentable


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked, and whether it holds. The text holds no protected value."""

    name: str
    passed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Verification(Presentable):
    """All checks of one release."""

    checks: tuple[Check, ...]

    _figures = ("passed",)
    _derived = ("passed",)

    @property
    def passed(self) -> bool:
        """Whether every check holds."""
        return all(check.passed for check in self.checks)

    @property
    def failed(self) -> str:
        """Names of the checks that do not hold, as one text."""
        return ", ".join(check.name for check in self.checks if not check.passed)
