"""Dates and times as whole numbers of their unit since 1970, and back."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class TimeType:
    """A type of dates or times, as DuckDB calls it."""

    number: str
    """SQL that makes a number of a value `{}`."""
    unit: str
    """Of that number, as Arrow calls it; ``day`` for dates."""
    zone: str | None = None


TIMES: Mapping[str, TimeType] = MappingProxyType(
    {
        "DATE": TimeType("datediff('day', DATE '1970-01-01', {})", "day"),
        "TIMESTAMP": TimeType("epoch_us({})", "us"),
        "TIMESTAMP_S": TimeType("epoch_us({}) // 1000000", "s"),
        "TIMESTAMP_MS": TimeType("epoch_ms({})", "ms"),
        "TIMESTAMP_NS": TimeType("epoch_us({})", "us"),
        "TIMESTAMP WITH TIME ZONE": TimeType("epoch_us({})", "us", "UTC"),
    }
)
"""Types that can be aggregated. The time of a day cannot: it has no first hour to count from."""
