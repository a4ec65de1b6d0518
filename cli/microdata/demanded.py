"""Options that demand something of sensitive columns: `--l 2`, `--t illness=0.3`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from auditor.core.errors import BadInput
from cli.microdata.pairs import all_pairs, as_pairs

if TYPE_CHECKING:
    from auditor.subjects.microdata.exports.generalized.sensitive import Demanding

N = TypeVar("N", int, float)


def _demand(option: str, help: str) -> Any:
    return typer.Option(option, metavar="L|A=L", parser=as_pairs, help=help)


@dataclass(frozen=True, slots=True)
class Demanded:
    """What is demanded of the values among which a sensitive one hides."""

    distinct: Annotated[
        list[Any] | None,
        _demand("--l", "Values of each sensitive column, or of one (illness=2), among which each record hides."),
    ] = None
    entropy: Annotated[
        list[Any] | None, _demand("--entropy-l", "The same as the effective number of values, by their entropy.")
    ] = None
    distance: Annotated[
        list[Any] | None,
        typer.Option(
            "--t",
            metavar="T|A=T",
            parser=as_pairs,
            help="Largest distance of these values from those of the whole file.",
        ),
    ] = None

    def demanding(self) -> Demanding:
        """Return what is demanded.

        Raises
        ------
        BadInput
            If something is no number.
        """
        from auditor.subjects.microdata.exports.generalized.sensitive import Demanding

        return Demanding(
            _numbers(self.distinct, "--l", int, "a whole number, such as 2 or illness=2"),
            _numbers(self.entropy, "--entropy-l", float, "a number, such as 1.5 or illness=1.5"),
            _numbers(self.distance, "--t", float, "a number from 0 to 1, such as 0.2 or illness=0.2"),
        )


def _numbers(given: list[Any] | None, option: str, kind: Callable[[str], N], wanted: str) -> dict[str, N]:
    found = {}
    for name, value in all_pairs(given):
        try:
            found[name] = kind(value)
        except ValueError:
            raise BadInput(f"{option} needs {wanted}") from None
    return found
