"""What is out of a population, as marginals of any version of its table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphkit.tables.decisions.decision import KnownBounds
from graphkit.tables.decisions.two_sided import taken_sides
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.versions.table_versions import VersionedMarginal, Versions
from graphkit.tables.versions.translated_marginals import TranslatedMarginals, translate_marginals

if TYPE_CHECKING:
    from auditor.subjects.tables.stored.history import VersionHistory
    from auditor.subjects.tables.stored.releases import TableState


class ReleasedHistory:
    """All that is out of a population, and how the variables of its versions go together.

    Parameters
    ----------
    history : sequence of VersionHistory
        As one transaction saw it.
    data : str
        Id of the present version.

    Notes
    -----
    What went out of another version of the data counts as if it had gone out of the one that is decided about. Which
    variables are the same is never guessed: see :class:`~graphkit.tables.versions.table_versions.Versions`.
    """

    def __init__(self, history: Sequence[VersionHistory], data: str) -> None:
        self.present = next(one for one in history if one.data == data)
        self._history = {version.version: version for version in history}
        self.versions = Versions(
            {version.version: version.variables for version in history},
            {(earlier, version.version): links for version in history for earlier, links in version.declared.items()},
        )
        found = [
            (marginal.released_at, version.version, marginal.recoded(version.shape))
            for version in history
            for marginal in version.released
            if not marginal.simulated and marginal.released_at is not None
        ]
        ordered = sorted(found, key=lambda one: (one[0], one[1], one[2].rank))
        self._facts = [VersionedMarginal(version, marginal) for _, version, marginal in ordered]

    @property
    def unaccounted(self) -> dict[int, tuple[str, ...]]:
        """By version, released variables of which nobody has said what has become of them in the present one."""
        found: dict[int, set[str]] = {}
        for fact in self._facts:
            missing = set(self.versions.unaccounted(fact.version, self.present.version))
            variables = self._history[fact.version].variables
            released = {variables[axis].name for axis in fact.marginal.axes} & missing
            if released:
                found.setdefault(fact.version, set()).update(released)
        return {version: tuple(sorted(names)) for version, names in sorted(found.items())}

    @property
    def blocked(self) -> bool:
        """Whether something that is out cannot be held against a request.

        Nobody has said what has become of its variables; or it cannot be told as marginals of the present data, and the
        counts of its version are not stored any more.
        """
        if self.unaccounted:
            return True
        gone = {version.version for version in self.others if version.table is None}
        here = self.present.version
        return any(
            fact.version in gone
            and any(self.versions.image(fact.version, axis, here) is None for axis in fact.marginal.axes)
            for fact in self._facts
        )

    @property
    def others(self) -> list[VersionHistory]:
        """Other versions whose cells are not those of the present one."""
        here = self.present.version
        return [
            version
            for number, version in self._history.items()
            if number != here and not (self.versions.follows(number, here) and self.versions.follows(here, number))
        ]

    def is_within(self, version: VersionHistory) -> bool:
        """Whether the cells of a version are made of those of the present one."""
        return self.versions.follows(version.version, self.present.version)

    def in_order(self) -> list[RecodedMarginal]:
        """Return what is out as marginals of the present version, the first release first; if all can be."""
        here = self.present.version
        told = (
            sorted(translate_marginals(self.versions, [fact], here).lower, key=lambda one: one.rank)
            for fact in self._facts
        )
        return list(dict.fromkeys(one for each in told for one in each))

    def told(self, version: int, requested: RecodedMarginal | None = None) -> TranslatedMarginals:
        """Return what is out as marginals of a version.

        Parameters
        ----------
        version : int
        requested : RecodedMarginal, optional
            Of the present version: as if it were out, too.
        """
        more = [] if requested is None else [VersionedMarginal(self.present.version, requested)]
        return translate_marginals(self.versions, [*self._facts, *more], version)


def surely_out(state: TableState) -> set[RecodedMarginal]:
    """Return marginals of the present table that follow from what is out of all versions; what follows exactly.

    What is out of another version and cannot be told in full is told as far as it can be.
    """
    history = ReleasedHistory(state.history, state.row.data)
    return set(taken_sides(state.table, history.told(history.present.version))[1])


def present_bounds(state: TableState) -> KnownBounds | None:
    """Return the bounds of cells that were stored with the marginals that are out of the present data; None if none.

    They were proven from part of what is out, so they hold of all that is. Where something is out of other data they
    are not used: what that tells of the present table may have been declared anew since.
    """
    others = (one for version in state.history if version.data != state.row.data for one in version.released)
    if any(not marginal.simulated for marginal in others):
        return None
    found = [one.bounds for one in state.stored_releases if one.bounds is not None and not one.simulated]
    if not found:
        return None
    cells, lower, upper = zip(*((bounds.cells, bounds.lower, bounds.upper) for bounds in found), strict=True)
    return KnownBounds(np.concatenate(cells), np.concatenate(lower), np.concatenate(upper))
