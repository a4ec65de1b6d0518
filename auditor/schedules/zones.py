"""Time zones by their names in the IANA database."""

import difflib
from zoneinfo import ZoneInfo, available_timezones

from auditor.core.errors import BadInput


def find_zone(name: str) -> ZoneInfo:
    """Return the time zone of that name.

    Raises
    ------
    BadInput
        If there is none; the nearest one is named.

    Examples
    --------
    >>> find_zone("Europe/Berlin").key
    'Europe/Berlin'
    >>> find_zone("europe/berlin")
    Traceback (most recent call last):
    auditor.core.errors.BadInput: there is no time zone 'europe/berlin'; did you mean 'Europe/Berlin'?
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        # unknown; no path below the database; a folder of it
        pass
    known = {zone.casefold(): zone for zone in available_timezones()}
    # somebody may only say the city
    cities = {zone.rpartition("/")[2].casefold(): zone for zone in known.values()}
    wanted = name.strip().replace(" ", "_").casefold()
    for names in (known, cities):
        near = difflib.get_close_matches(wanted, names, n=1, cutoff=0.7)
        if near:
            raise BadInput(f"there is no time zone {name!r}; did you mean {names[near[0]]!r}?")
    raise BadInput(f"there is no time zone {name!r}; say one of the IANA database, such as 'Europe/Berlin' or 'UTC'")
