"""Scales that place values on an axis, and the ticks that a reader needs on it."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LinearScale:
    """Equal differences lie equally far apart."""

    low: float
    high: float
    start: float
    end: float
    whole: bool = False
    """Whether only whole numbers are marked."""

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return about five round values.

        Examples
        --------
        >>> LinearScale(0, 83, 0, 100).ticks()
        [0.0, 20.0, 40.0, 60.0, 80.0]
        """
        rough = (self.high - self.low) / 5
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * (1 - 1e-9))
        if self.whole:
            step = max(1.0, step)
        first, last = math.ceil(self.low / step), math.floor(self.high / step + 1e-9)
        return [i * step for i in range(first, last + 1)]


@dataclass(frozen=True, slots=True)
class LogScale:
    """Equal ratios lie equally far apart; `shift` is added first, so that 0 has a place where it is 1."""

    low: float
    high: float
    start: float
    end: float
    shift: int = 0

    def __call__(self, value: float) -> float:
        """Return the place of a value."""
        low, high = math.log(self.low + self.shift), math.log(self.high + self.shift)
        return self.start + (math.log(value + self.shift) - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Return round values, at most eight.

        Examples
        --------
        >>> LogScale(0.8, 40, 0, 100).ticks()
        [1.0, 2.0, 5.0, 10.0, 20.0]
        >>> LogScale(0, 300, 0, 100, shift=1).ticks()
        [0.0, 1.0, 10.0, 100.0]
        >>> LogScale(129, 146, 0, 100).ticks()
        [130.0, 135.0, 140.0, 145.0]
        """
        exponents = range(math.floor(math.log10(max(self.low, 0.1))), math.ceil(math.log10(self.high)) + 1)
        zero = [0.0] if self.low <= 0 else []
        marked: list[float] = []
        for factors in ((1, 2, 5), (1, 3), (1,)):
            values = [factor * 10.0**exponent for exponent in exponents for factor in factors]
            marked = zero + [value for value in values if max(self.low, 1) <= value <= self.high]
            if len(marked) < 3:
                # so close together that equal differences are as good
                linear = LinearScale(self.low, self.high, self.start, self.end, whole=True).ticks()
                return max(marked, [value for value in linear if value >= max(self.low, 1)], key=len)
            if len(marked) <= 6:
                return marked
        return marked[:: math.ceil(len(marked) / 8)]
