"""Cron expressions on the clocks of a time zone: every local time that exists is due once."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.errors import BadInput
from auditor.schedules.cron import parse_cron
from auditor.schedules.zones import find_zone


def at(*fields: int) -> datetime:
    return datetime(*fields, tzinfo=UTC)  # type: ignore[misc,arg-type]


def local(expression: str, zone: str, after: datetime, until: datetime) -> list[str]:
    """The due times on the clocks of the zone."""
    cron = parse_cron(expression, zone)
    return [f"{due.astimezone(cron.zone):%m-%d %H:%M %z}" for due in cron.between(after, until)]


def test_a_local_time_that_is_skipped_is_not_due_that_day() -> None:
    assert local("30 2 * * *", "Europe/Berlin", at(2026, 3, 28), at(2026, 3, 31)) == [
        "03-28 02:30 +0100",
        "03-30 02:30 +0200",
    ]


def test_a_local_time_that_comes_twice_is_due_the_first_time() -> None:
    assert local("30 2 * * *", "Europe/Berlin", at(2026, 10, 24), at(2026, 10, 27)) == [
        "10-24 02:30 +0200",
        "10-25 02:30 +0200",
        "10-26 02:30 +0100",
    ]


def test_every_quarter_of_an_hour_through_both_changes() -> None:
    spring = local("*/30 * * * *", "Europe/Berlin", at(2026, 3, 29, 0, 15), at(2026, 3, 29, 1, 30))
    assert spring == ["03-29 01:30 +0100", "03-29 03:00 +0200", "03-29 03:30 +0200"]
    autumn = local("*/30 * * * *", "Europe/Berlin", at(2026, 10, 24, 23, 45), at(2026, 10, 25, 2, 30))
    assert autumn == [
        *("10-25 02:00 +0200", "10-25 02:30 +0200"),
        *("10-25 03:00 +0100", "10-25 03:30 +0100"),
    ]


@pytest.mark.parametrize("minutes", range(0, 130, 10))
def test_looking_at_any_moment_of_the_doubled_hour_doubles_and_loses_nothing(minutes: int) -> None:
    cron = parse_cron("*/15 * * * *", "Europe/Berlin")
    begin, end = at(2026, 10, 24, 23, 30), at(2026, 10, 25, 2)
    moment = begin + timedelta(minutes=minutes)
    assert [*cron.between(begin, moment), *cron.between(moment, end)] == list(cron.between(begin, end))


def test_a_midnight_that_was_skipped() -> None:
    # in Brazil the clocks went from 23:59 to 01:00
    assert local("0 0 * * *", "America/Sao_Paulo", at(2018, 11, 3), at(2018, 11, 6)) == [
        "11-03 00:00 -0300",
        "11-05 00:00 -0200",
    ]
    # and from 23:59 back to 23:00
    assert local("30 23 * * *", "America/Sao_Paulo", at(2019, 2, 16, 12), at(2019, 2, 18, 12)) == [
        "02-16 23:30 -0200",
        "02-17 23:30 -0300",
    ]
    # since 2019 they stay
    assert len(local("0 0 * * *", "America/Sao_Paulo", at(2025, 1, 1), at(2026, 1, 1))) == 365


def test_a_change_of_half_an_hour() -> None:
    # on Lord Howe from 02:00 to 02:30, and back from 02:00 to 01:30
    assert local("15,45 2 * * *", "Australia/Lord_Howe", at(2026, 10, 3), at(2026, 10, 4, 12)) == [
        "10-04 02:45 +1100",
    ]
    assert local("*/15 1 * * *", "Australia/Lord_Howe", at(2026, 4, 4, 12), at(2026, 4, 5)) == [
        *("04-05 01:00 +1100", "04-05 01:15 +1100", "04-05 01:30 +1100", "04-05 01:45 +1100")
    ]


def test_a_day_that_a_country_left_out() -> None:
    # Samoa went from 29 to 31 December 2011
    due = local("0 12 * * *", "Pacific/Apia", at(2011, 12, 29), at(2011, 12, 31))
    assert [text[:5] for text in due] == ["12-29", "12-31"]


def test_29_february() -> None:
    cron = parse_cron("0 6 29 2 *", "UTC")
    assert [due.year for due in cron.upcoming(at(2026, 1, 1), 3)] == [2028, 2032, 2036]
    # 2100 has no leap day
    assert [due.year for due in cron.upcoming(at(2095, 1, 1), 2)] == [2096, 2104]


def test_months_without_the_day_are_left_out() -> None:
    cron = parse_cron("0 6 31 * *", "Europe/Berlin")
    assert [due.month for due in cron.upcoming(at(2026, 1, 1), 7)] == [1, 3, 5, 7, 8, 10, 12]
    last = parse_cron("0 6 last * *", "Europe/Berlin")
    assert [due.day for due in last.upcoming(at(2026, 1, 1), 4)] == [31, 28, 31, 30]


@pytest.mark.parametrize(
    ("field", "days"),
    [
        ("1", "Mon"),
        ("mon", "Mon"),
        ("MON", "Mon"),
        ("0", "Sun"),
        ("7", "Sun"),
        ("1-5", "Mon Tue Wed Thu Fri"),
        ("sat-mon", "Mon Sat Sun"),
        ("5-7", "Fri Sat Sun"),
        ("1-5/2", "Mon Wed Fri"),
        ("*/3", "Wed Sat Sun"),
        ("mon,thu", "Mon Thu"),
        ("0-7", "Mon Tue Wed Thu Fri Sat Sun"),
    ],
)
def test_weekdays_count_as_in_crontab(field: str, days: str) -> None:
    cron = parse_cron(f"0 6 * * {field}", "UTC")
    # 5 January 2026 was a Monday
    assert " ".join(f"{due:%a}" for due in cron.between(at(2026, 1, 5), at(2026, 1, 12))) == days


def test_day_of_the_month_or_of_the_week_where_both_are_restricted() -> None:
    cron = parse_cron("0 6 1,12 * mon", "UTC")
    assert [due.day for due in cron.between(at(2026, 1, 1), at(2026, 2, 1))] == [1, 5, 12, 19, 26]


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("", "has 0 fields; five are needed: minute, hour, day of the month, month, day of the week"),
        ("0 6 * *", "has 4 fields"),
        ("0 0 6 * * 1", "has 6 fields"),
        ("60 6 * * *", "'60' is no minute; such as"),
        ("0 24 * * *", "'24' is no hour; such as"),
        ("0 6 0 * *", "'0' is no day of the month; such as"),
        ("0 6 * 13 *", "'13' is no month; such as"),
        ("0 6 * jan/2 *", "'jan/2' is no month"),
        ("0 6 * * 8", "'8' is no day of the week; such as"),
        ("0 6 * * monday", "'monday' is no day of the week; such as"),
        ("0 17-9 * * *", "'17-9' is no hour"),
        ("*/0 * * * *", "'*/0' is no minute"),
        ("*/60 * * * *", "'*/60' is no minute"),
        ("5-7/9 * * * *", "'5-7/9' is no minute"),
        ("1,,2 * * * *", "'' is no minute"),
        ("0 6 lastly * *", "'lastly' is no day of the month"),
        ("-1 6 * * *", "'-1' is no minute"),
        ("1\u0662 6 * * *", "is no minute"),
        ("0 0 30 2 *", "there is no such day; check day and month"),
    ],
)
def test_a_bad_expression_is_one_clear_line(expression: str, told: str) -> None:
    with pytest.raises(BadInput) as error:
        parse_cron(expression, "UTC")
    assert told in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("Europe/Berln", "did you mean 'Europe/Berlin'?"),
        ("europe/berlin", "did you mean 'Europe/Berlin'?"),
        ("Berlin", "did you mean 'Europe/Berlin'?"),
        ("new york", "did you mean 'America/New_York'?"),
        ("Europe", "time zone 'Europe'"),
        ("../../etc/passwd", "time zone"),
        ("", "such as 'Europe/Berlin' or 'UTC'"),
        ("a\nb", "time zone 'a\\nb'"),
        ("x" * 500, "such as 'Europe/Berlin'"),
    ],
)
def test_a_bad_zone_is_one_clear_line_with_the_nearest_one(zone: str, told: str) -> None:
    with pytest.raises(BadInput) as error:
        find_zone(zone)
    assert told in str(error.value)
    assert "\n" not in str(error.value)


def test_the_last_due_time_of_many_years_is_found_without_counting_them() -> None:
    cron = parse_cron("* * * * *", "Europe/Berlin")
    assert cron.last_between(at(1990, 1, 1), at(2026, 1, 1, 0, 0, 30)) == at(2026, 1, 1)
    rare = parse_cron("0 6 29 2 *", "UTC")
    assert rare.last_between(at(1990, 1, 1), at(2026, 1, 1)) == at(2024, 2, 29, 6)
    assert rare.last_between(at(2025, 1, 1), at(2026, 1, 1)) is None
    assert rare.last_between(at(2026, 1, 1), at(2025, 1, 1)) is None


EXPRESSIONS = st.sampled_from(
    ["*/20 * * * *", "30 2 * * *", "0 */6 * * *", "5 4 1,15 * sun", "0 0 last * *", "59 23 * * 1-5", "0 6 29 2 *"]
)
ZONES = st.sampled_from(["Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"])
MOMENTS = st.datetimes(datetime(2018, 1, 1), datetime(2026, 12, 31), timezones=st.just(UTC))


@settings(max_examples=150, deadline=None)
@given(EXPRESSIONS, ZONES, MOMENTS, st.lists(st.integers(0, 14 * 86_400), min_size=1, max_size=6))
def test_consecutive_windows_partition_the_due_times_of_their_union(
    expression: str, zone: str, begin: datetime, seconds: list[int]
) -> None:
    cron = parse_cron(expression, zone)
    cuts = [begin, *(begin + timedelta(seconds=s) for s in sorted(seconds))]
    parts = [due for after, until in pairwise(cuts) for due in cron.between(after, until)]
    assert parts == list(cron.between(begin, cuts[-1]))
    assert all(a < b for a, b in pairwise(parts))


@settings(max_examples=60, deadline=None)
@given(ZONES, MOMENTS, st.integers(0, 23), st.integers(0, 59))
def test_a_daily_time_is_due_once_on_every_day_that_has_it(zone: str, begin: datetime, hour: int, minute: int) -> None:
    cron = parse_cron(f"{minute} {hour} * * *", zone)
    due = [time.astimezone(ZoneInfo(zone)) for time in cron.between(begin, begin + timedelta(days=400))]
    assert all((time.hour, time.minute) == (hour, minute) for time in due)
    days = [time.date() for time in due]
    assert len(set(days)) == len(days)
    missing = {date.fromordinal(n) for n in range(days[0].toordinal(), days[-1].toordinal() + 1)} - set(days)
    for day in missing:
        wall = datetime(day.year, day.month, day.day, hour, minute)
        assert (
            wall.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) != wall
        )


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS, ZONES, MOMENTS, st.integers(0, 60 * 86_400))
def test_the_last_due_time_is_the_last_of_all(expression: str, zone: str, begin: datetime, seconds: int) -> None:
    cron = parse_cron(expression, zone)
    until = begin + timedelta(seconds=seconds)
    every = list(cron.between(begin, until))
    assert cron.last_between(begin, until) == (every[-1] if every else None)
    if every:
        assert cron.next_after(begin) == every[0]
