"""What is demanded of the values of a sensitive column that somebody may have. Data, for engine and check."""

from dataclasses import dataclass
from math import isfinite

from graphkit.errors import InvalidInput
from graphkit.microdata.risk.closeness import Distance
from graphkit.parameters import is_whole


@dataclass(frozen=True, slots=True)
class Demand:
    """How diverse, and how close to the whole file, the values that somebody may have are to be.

    Raises
    ------
    InvalidInput
        If it demands nothing, or what makes no sense.

    Examples
    --------
    >>> Demand("illness", distinct=2).text
    '2 values'
    """

    sensitive: str
    """Name of the sensitive column."""
    distinct: int = 1
    """Different values, at least; 1 demands nothing."""
    entropy: float = 1.0
    """Effective number of values, at least: the exponential of their entropy; 1 demands nothing."""
    t: float | None = None
    """Distance from the values of the whole file, at most; None demands nothing."""
    distance: Distance = "equal"
    """How far values are from each other, for `t`."""
    of_households: bool = False
    """Whether the column tells which records belong together. It is not published then, and the originals that a
    published record covers are to differ in it as well: nobody hides among members of the own household."""

    def __post_init__(self) -> None:
        name = repr(self.sensitive)
        if not is_whole(self.distinct) or self.distinct < 1:
            raise InvalidInput(f"l of {name} must be a whole number of at least 1, such as 2")
        if not (isfinite(self.entropy) and self.entropy >= 1):
            raise InvalidInput(f"entropy l of {name} must be a number of at least 1, such as 1.5")
        if self.t is not None and not 0 <= self.t <= 1:
            raise InvalidInput(f"t of {name} must be a number from 0 to 1, such as 0.2")
        if self.distance not in ("equal", "ordered"):
            raise InvalidInput("the distance must be 'equal' or 'ordered'")
        if self.distinct == 1 and self.entropy == 1 and self.t is None:
            raise InvalidInput(f"nothing is demanded of {name}; give l, entropy l or t")
        if self.of_households and (self.entropy != 1 or self.t is not None):
            raise InvalidInput("households are counted; their entropy and t mean nothing")

    @property
    def seen(self) -> str:
        """What is seen where it is met, for a reader, with the column."""
        return f"records of {self.text}" if self.of_households else f"{self.text} of {self.sensitive!r}"

    @property
    def text(self) -> str:
        """What it says, for a reader."""
        if self.of_households:
            return f"{self.distinct} households"
        parts = [f"{self.distinct} values"] if self.distinct > 1 else []
        parts += [f"entropy of {self.entropy:g} values"] if self.entropy > 1 else []
        parts += [f"distance of {self.t:g} at most"] if self.t is not None else []
        return ", ".join(parts)

    def is_as_strict_as(self, other: "Demand") -> bool:
        """Whether whatever meets this demand meets another one of the same column."""
        entropy = max(self.entropy, 1.0) >= other.entropy
        close = other.t is None or (self.t is not None and self.t <= other.t and self.distance == other.distance)
        same = self.sensitive == other.sensitive and self.of_households == other.of_households
        return same and self.distinct >= other.distinct and entropy and close
