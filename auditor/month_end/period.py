"""The periods that a report is about: a month, a quarter, a year, or from one day to another; in UTC."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from auditor.core.clock import time_text
from auditor.core.errors import BadInput

_MONTH = re.compile(r"(\d{4})-(\d\d)", re.ASCII)
_QUARTER = re.compile(r"(\d{4})-Q([1-4])", re.ASCII)
_YEAR = re.compile(r"\d{4}", re.ASCII)
_DAYS = re.compile(r"(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)", re.ASCII)
_FIRST_YEAR, _LAST_YEAR = 1970, 9998


@dataclass(frozen=True, slots=True)
class Period:
    """From the first day to the last one, both in it."""

    name: str
    """As it is written: ``2026-10``, ``2026-Q4``, ``2026`` or ``2026-10-01..2026-10-15``."""
    first: date
    last: date

    @property
    def since(self) -> str:
        """The time at which it begins, as entries of the ledger have theirs."""
        return _midnight(self.first)

    @property
    def until(self) -> str:
        """The time at which it is over."""
        return _midnight(self.last + timedelta(days=1))

    @property
    def before(self) -> "Period | None":
        """The period of the same kind before it; of one from day to day, as many days. None before all periods."""
        return self._beside(-1)

    @property
    def after(self) -> "Period | None":
        """The period of the same kind after it; None after all periods."""
        return self._beside(1)

    @property
    def title(self) -> str:
        """How a heading calls it.

        Examples
        --------
        >>> parse_period("2026-10").title, parse_period("2026-Q4").title
        ('October 2026', '2026-Q4')
        """
        return f"{self.first:%B %Y}" if _MONTH.fullmatch(self.name) else self.name.replace("..", " to ")

    def _beside(self, step: int) -> "Period | None":
        try:
            return parse_period(self._name_beside(step))
        except (BadInput, OverflowError):
            return None

    def _name_beside(self, step: int) -> str:
        for form, months in ((_MONTH, 1), (_QUARTER, 3), (_YEAR, 12)):
            if form.fullmatch(self.name):
                index = self.first.year * 12 + self.first.month - 1 + step * months
                year, month = divmod(index, 12)
                return {1: f"{year:04}-{month + 1:02}", 3: f"{year:04}-Q{month // 3 + 1}", 12: f"{year:04}"}[months]
        days = timedelta(days=((self.last - self.first).days + 1) * step)
        return f"{self.first + days}..{self.last + days}"


def month_of(at: datetime) -> Period:
    """Return the month of a time.

    Examples
    --------
    >>> month_of(datetime(2026, 10, 31, 23, tzinfo=UTC)).name
    '2026-10'
    """
    return parse_period(f"{at.astimezone(UTC):%Y-%m}")


def parse_period(text: str) -> Period:
    """Return the period that a text names.

    Raises
    ------
    BadInput
        If it names none.

    Examples
    --------
    >>> october = parse_period("2026-10")
    >>> october.since, october.until
    ('2026-10-01T00:00:00.000000Z', '2026-11-01T00:00:00.000000Z')
    >>> beside = october.before, parse_period("2026-12").after, parse_period("2026-10-01..2026-10-07").after
    >>> [one.name for one in beside if one is not None]
    ['2026-09', '2027-01', '2026-10-08..2026-10-14']
    >>> parse_period("1970").before, parse_period("9998-Q4").after, parse_period("1970-01-01..9998-12-31").after
    (None, None, None)
    >>> parse_period("october")
    Traceback (most recent call last):
    ...
    auditor.core.errors.BadInput: 'october' is no period; write 2026-10, 2026-Q4, 2026 or 2026-10-01..2026-10-15
    """
    try:
        first, last = _days_of(text)
    except (ValueError, OverflowError):
        raise BadInput(f"{text!r} is no period; write 2026-10, 2026-Q4, 2026 or 2026-10-01..2026-10-15") from None
    if last < first:
        raise BadInput(f"the period {text!r} ends before it begins; write the earlier day first")
    if first.year < _FIRST_YEAR or last.year > _LAST_YEAR:
        raise BadInput(f"the period {text!r} is out of range; choose years from {_FIRST_YEAR} to {_LAST_YEAR}")
    return Period(text, first, last)


def _days_of(text: str) -> tuple[date, date]:
    if found := _DAYS.fullmatch(text):
        return date.fromisoformat(found[1]), date.fromisoformat(found[2])
    if found := _MONTH.fullmatch(text):
        return _months(int(found[1]), int(found[2]), 1)
    if found := _QUARTER.fullmatch(text):
        return _months(int(found[1]), 3 * int(found[2]) - 2, 3)
    if _YEAR.fullmatch(text):
        return _months(int(text), 1, 12)
    raise ValueError("no period")


def _months(year: int, month: int, length: int) -> tuple[date, date]:
    first = date(year, month, 1)
    after = year * 12 + month - 1 + length
    return first, date(after // 12, after % 12 + 1, 1) - timedelta(days=1)


def _midnight(day: date) -> str:
    return time_text(datetime(day.year, day.month, day.day, tzinfo=UTC))
