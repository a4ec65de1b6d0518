"""The fields of a cron expression, checked, and weekdays as crontab(5) counts them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from auditor.core.errors import BadInput

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_ITEM = re.compile(r"(?:\*|(?P<first>[0-9]{1,2}|[a-z]+)(?:-(?P<last>[0-9]{1,2}|[a-z]+))?)(?:/(?P<step>[0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    lowest: int
    highest: int
    examples: str
    names: tuple[str, ...] = ()

    def number(self, text: str) -> int | None:
        """Return what a number or a name stands for; None if it is neither, or out of range."""
        if text in self.names:
            return self.lowest + self.names.index(text)
        return int(text) if text.isdigit() and self.lowest <= int(text) <= self.highest else None

    def holds(self, item: str) -> bool:
        """Whether an item of a list is valid."""
        if self.name == "day of the month" and item == "last":
            return True
        match = _ITEM.fullmatch(item)
        if match is None:
            return False
        first, last, step = match["first"], match["last"], match["step"]
        begin, end = self.lowest, self.highest
        if first is not None:
            numbers = self.number(first), self.number(last or first)
            if numbers[0] is None or numbers[1] is None:
                return False
            begin, end = numbers[0], numbers[1]
        if begin > end:
            # a week goes round: sat-mon
            return self.names == _WEEKDAYS and step is None
        # names take no step, and a step that leads out of its range is a mistake
        named = first is not None and not (first + (last or "")).isdigit()
        return step is None or (not named and 1 <= int(step) <= end - begin)


_FIELDS = (
    _Field("minute", 0, 59, "0, 15,45, 0-29 or */10"),
    _Field("hour", 0, 23, "6, 6,18, 9-17 or */4"),
    _Field("day of the month", 1, 31, "1, 1,15, 1-7 or last"),
    _Field("month", 1, 12, "1, 3,9, jan-mar or */3", _MONTHS),
    _Field("day of the week", 0, 7, "1, mon, mon-fri or 0 for Sunday", _WEEKDAYS),
)


def check_fields(expression: str, fields: Sequence[str]) -> None:
    """Refuse what is no cron expression.

    Raises
    ------
    BadInput
        It names the field.

    Examples
    --------
    >>> check_fields("0 25 * * *", ["0", "25", "*", "*", "*"])
    Traceback (most recent call last):
    auditor.core.errors.BadInput: cron expression '0 25 * * *': '25' is no hour; such as 6, 6,18, 9-17 or */4
    """
    if len(fields) != len(_FIELDS):
        names = ", ".join(field.name for field in _FIELDS)
        raise BadInput(f"cron expression {expression!r} has {len(fields)} fields; five are needed: {names}")
    for field, text in zip(_FIELDS, fields, strict=True):
        for item in text.lower().split(","):
            if not field.holds(item):
                raise BadInput(f"cron expression {expression!r}: {item!r} is no {field.name}; such as {field.examples}")


def weekday_names(text: str) -> str:
    """Return a checked field of weekdays as a list of names: the trigger counts from Monday, crontab from Sunday.

    Examples
    --------
    >>> weekday_names("1-5"), weekday_names("0,7"), weekday_names("sat-mon"), weekday_names("*/2"), weekday_names("*")
    ('mon,tue,wed,thu,fri', 'sun', 'sun,mon,sat', 'sun,tue,thu,sat', '*')
    """
    if text == "*":
        return text
    days = {day % 7 for item in text.split(",") for day in _days(item)}
    return ",".join(_WEEKDAYS[day] for day in sorted(days))


def _days(item: str) -> Iterator[int]:
    match = _ITEM.fullmatch(item)
    assert match is not None, "the field was checked"
    first, last = 0, 6
    if match["first"] is not None:
        begin, end = (_FIELDS[-1].number(text) for text in (match["first"], match["last"] or match["first"]))
        assert begin is not None, "the field was checked"
        assert end is not None, "the field was checked"
        first, last = begin, end if begin <= end else end + 7
    yield from range(first, last + 1, int(match["step"] or 1))
