"""A group of commands of which one needs no name: what follows the group is then its own."""

from collections.abc import Sequence
from typing import Any, ClassVar

from typer.core import TyperGroup

_COMMON: dict[str, int] = {"--store": 1, "--config": 1, "--json": 0, "--quiet": 0, "-q": 0}
"""Options that every command takes, with how many values: they may stand before the name of a command."""


class DefaultCommandGroup(TyperGroup):
    """A group whose command :attr:`default` may be left out, as it was before it had others beside it.

    Set :attr:`default` in a subclass. A first word that is another command of the group means that one.
    """

    default: ClassVar[str]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the default command where it was left out, and parse."""
        place = _first_own(args)
        if place < len(args) and args[place] not in self.commands and args[place] not in self.help_names(ctx):
            args = [*args[:place], self.default, *args[place:]]
        return super().parse_args(ctx, args)

    def help_names(self, ctx: Any) -> Sequence[str]:
        """Return what asks for help about the group."""
        return ("--help",)

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Offer the commands of the group, and what the first argument of the default one may be."""
        command = self.commands[self.default]
        argument = next(one for one in command.params if one.param_type_name == "argument")
        return [*super().shell_complete(ctx, incomplete), *argument.shell_complete(ctx, incomplete)]


def _first_own(args: list[str]) -> int:
    """Return the place of the first word that is no option of every command, nor the value of one.

    Examples
    --------
    >>> _first_own(["--json", "--store", "local", "friends"]), _first_own(["--store=local", "-q"])
    (3, 2)
    """
    place = 0
    while place < len(args):
        name, has_value, _ = args[place].partition("=")
        if name not in _COMMON:
            break
        place += 1 + (0 if has_value else _COMMON[name])
    return min(place, len(args))
