"""Lists on pages: what is filtered by, sorted by and shown stays in the address, which can be sent and kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True)
class Listing:
    """A list as its address asks for it.

    Parameters
    ----------
    path : str
    filters : mapping of str to str
        What the list is narrowed by; what is empty is not in the address.
    sort : str
        Name of a column, with ``-`` before it for the other direction; empty for the list's own order.
    skip, size : int
        How many rows are passed over, and how many are shown.
    """

    path: str
    filters: Mapping[str, str] = field(default_factory=dict)
    sort: str = ""
    skip: int = 0
    size: int = 50

    def address(self, **changes: object) -> str:
        """Return the address of the list with other values; a list that is narrowed or sorted anew begins at its start.

        Examples
        --------
        >>> jobs = Listing("/jobs", {"state": "failed"}, skip=50)
        >>> jobs.address(skip=100), jobs.address(state=""), jobs.address(sort="at")
        ('/jobs?state=failed&skip=100', '/jobs', '/jobs?state=failed&sort=at')
        """
        values = {**self.filters, "sort": self.sort, "skip": 0, **changes}
        query = urlencode([(name, value) for name, value in values.items() if value])
        return f"{self.path}?{query}" if query else self.path

    @property
    def narrowed(self) -> bool:
        """Whether anything is filtered out."""
        return any(self.filters.values())

    def direction(self, column: str) -> str | None:
        """Return ``ascending`` or ``descending`` where the list is sorted by a column, None where it is not."""
        if self.sort.lstrip("-") != column:
            return None
        return "descending" if self.sort.startswith("-") else "ascending"

    def sorted_by(self, column: str, first: str = "") -> str:
        """Return the address of the list sorted by a column; sorted so already, the other way round.

        Parameters
        ----------
        column : str
        first : str, optional
            ``-`` where the largest come first.

        Examples
        --------
        >>> Listing("/", sort="name").sorted_by("name"), Listing("/").sorted_by("open", "-")
        ('/?sort=-name', '/?sort=-open')
        """
        direction = self.direction(column)
        down = first == "-" if direction is None else direction == "ascending"
        return self.address(sort=f"{'-' if down else ''}{column}")

    def parts(self, found: int, total: int | None = None) -> dict[str, Any]:
        """Return what templates have of the parts of the list around this one.

        Parameters
        ----------
        found : int
            How many rows were read: one more than are shown where there are more.
        total : int, optional
            How many there are in all, where it is known.

        Examples
        --------
        >>> Listing("/jobs", skip=50).parts(51, 180)
        {'newer': '/jobs', 'older': '/jobs?skip=100', 'shown': (51, 100, 180)}
        """
        shown = min(found, self.size)
        return {
            "newer": self.address(skip=max(self.skip - self.size, 0)) if self.skip else None,
            "older": self.address(skip=self.skip + self.size) if found > self.size else None,
            "shown": (self.skip + 1, self.skip + shown, total) if shown else None,
        }
