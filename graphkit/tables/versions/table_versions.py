"""Versions of a table whose variables changed: which variables of one follow from those of another, never by guess."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.versions.variable_image import (
    VariableImage,
    backward_image,
    composed_image,
    forward_image,
    identity_image,
)
from graphkit.tables.versions.variable_link import BoundLink, VariableLink, bound_link, is_namesake

Node = tuple[int, int]
"""A version, and the position of a variable in it."""


@dataclass(frozen=True, slots=True)
class VersionedMarginal:
    """A marginal of one version."""

    version: int
    marginal: RecodedMarginal


class Versions:
    """The variables of all versions of a table, and how they go together.

    Parameters
    ----------
    variables : mapping of int to sequence of Variable
        By version.
    links : mapping of (int, int) to iterable of VariableLink, optional
        What was declared, by the earlier and the later version.

    Raises
    ------
    InvalidInput
        If a link does not fit its versions.

    Notes
    -----
    *Never by guess.* A variable of one version is one of the next version where both have the same name and the same
    categories, or where that was declared; from there on, step by step. Where a variable was left out and came back,
    the same name and categories are enough.

    Examples
    --------
    >>> yes_no = ("no", "yes")
    >>> then = [Variable("A", yes_no), Variable("B", yes_no)]
    >>> now = [Variable("B", yes_no), Variable("X", yes_no)]
    >>> pair = VersionedMarginal(1, RecodedMarginal((0, 1), ((0, 1), (0, 1))))
    >>> Versions({1: then, 2: now}).is_accounted(pair, 2)
    False
    >>> Versions({1: then, 2: now}, {(1, 2): [VariableLink("A", ("X",))]}).is_accounted(pair, 2)
    True
    """

    def __init__(
        self,
        variables: Mapping[int, Sequence[Variable]],
        links: Mapping[tuple[int, int], Iterable[VariableLink]] | None = None,
    ) -> None:
        self._variables = {number: tuple(variables[number]) for number in sorted(variables)}
        self._shapes = {number: tuple(one.size for one in found) for number, found in self._variables.items()}
        self._numbers = list(self._variables)
        self._declared: dict[tuple[int, int], dict[int, BoundLink]] = {}
        for (then, now), declared in (links or {}).items():
            bound = [bound_link(link, self._variables[then], self._variables[now]) for link in declared]
            self._declared[then, now] = {link.old: link for link in bound}
        self._linked = {
            (then, now): self._with_namesakes(then, now)
            for place, then in enumerate(self._numbers)
            for now in self._numbers[place + 1 :]
            if now == self._numbers[place + 1] or (then, now) in self._declared
        }
        self._images: dict[tuple[int, int, int], VariableImage | None] = {}

    def image(self, source: int, axis: int, target: int) -> VariableImage | None:
        """Return a variable of one version by those of another one; None where it does not follow from them."""
        key = source, axis, target
        if key not in self._images:
            self._images[key] = self._found_image(source, axis, target)
        return self._images[key]

    def shape(self, version: int) -> tuple[int, ...]:
        """Return the number of categories of every variable of a version."""
        return self._shapes[version]

    def linked(self) -> list[list[Node]]:
        """Return the variables that go together, link by link."""
        return [
            [(then, link.old), *((now, axis) for axis in link.new)]
            for (then, now), links in self._linked.items()
            for link in links.values()
        ]

    def follows(self, source: int, target: int) -> bool:
        """Whether all variables of one version follow from those of another one."""
        return all(self.image(source, axis, target) is not None for axis in range(len(self._variables[source])))

    def unaccounted(self, version: int, target: int) -> tuple[str, ...]:
        """Return which variables of a version nobody has said anything of, as seen from another one."""
        return tuple(
            variable.name
            for axis, variable in enumerate(self._variables[version])
            if not self._is_accounted(version, axis, target)
        )

    def is_accounted(self, fact: VersionedMarginal, target: int) -> bool:
        """Whether it is known of all variables of a marginal what has become of them in another version."""
        return all(self._is_accounted(fact.version, axis, target) for axis in fact.marginal.axes)

    def _with_namesakes(self, then: int, now: int) -> dict[int, BoundLink]:
        declared = self._declared.get((then, now), {})
        if self._numbers.index(now) != self._numbers.index(then) + 1:
            return declared
        # what was declared to be another variable is no namesake
        taken = {link.new[0] for link in declared.values() if link.is_one_to_one}
        found = dict(declared)
        for axis, variable in enumerate(self._variables[then]):
            place = self._namesake(variable, now)
            if axis not in found and place is not None and place not in taken:
                found[axis] = self._same(then, axis, now, place)
        return found

    def _same(self, then: int, axis: int, now: int, place: int) -> BoundLink:
        link = VariableLink(self._variables[then][axis].name, (self._variables[now][place].name,))
        return bound_link(link, self._variables[then], self._variables[now])

    def _namesake(self, variable: Variable, version: int) -> int | None:
        found = (place for place, other in enumerate(self._variables[version]) if is_namesake(variable, other))
        return next(found, None)

    def _between(self, one: int, other: int) -> list[int]:
        return [number for number in self._numbers if min(one, other) < number < max(one, other)]

    def _found_image(self, source: int, axis: int, target: int) -> VariableImage | None:
        if source == target:
            return identity_image(axis, self._shapes[target][axis])
        then, now = min(source, target), max(source, target)
        linked = self._linked.get((then, now), {})
        if source == then and axis in linked:
            return forward_image(linked[axis], self._shapes[now])
        if source == now:
            links = [link for link in linked.values() if axis in link.new]
            if links:
                return backward_image(axis, links, self._shapes[then], self._shapes[now])
        between = self._between(then, now)
        # the nearest one to the target first: what is between was translated step by step
        for step in between[::-1] if source == then else between:
            first = self.image(source, axis, step)
            rest = {} if first is None else {at: self.image(step, at, target) for at in first.axes}
            inner = {at: image for at, image in rest.items() if image is not None}
            if first is not None and len(inner) == len(rest):
                return composed_image(first, inner, self._shapes[target])
        return self._returned(source, axis, target)

    def _returned(self, source: int, axis: int, target: int) -> VariableImage | None:
        """Return a variable that was left out in between, and is back under its name."""
        then, now = min(source, target), max(source, target)
        place = self._namesake(self._variables[source][axis], target)
        if place is None or not self._between(then, now):
            return None
        name = self._variables[source][axis].name
        if any(name == other.name for step in self._between(then, now) for other in self._variables[step]):
            # in between it was another variable, or had other categories
            return None
        old, new = (axis, place) if source == then else (place, axis)
        link = self._same(then, old, now, new)
        if source == then:
            return forward_image(link, self._shapes[now])
        return backward_image(axis, [link], self._shapes[then], self._shapes[now])

    def _is_accounted(self, version: int, axis: int, target: int) -> bool:
        if self.image(version, axis, target) is not None:
            return True
        if version > target:
            # it is new, if it is known of all that there was what has become of it
            return all(self._is_accounted(target, at, version) for at in range(len(self._variables[target])))
        for step in [*self._between(version, target), target]:
            link = self._declared.get((version, step), {}).get(axis)
            if link is not None and (step == target or not link.new):
                return True
            reached = self._reached(version, axis, step, link) if step != target else ()
            if reached and all(self._is_accounted(step, at, target) for at in reached):
                return True
        return False

    def _reached(self, version: int, axis: int, step: int, link: BoundLink | None) -> tuple[int, ...]:
        """Return variables of a later version that a variable went into."""
        image = self.image(version, axis, step)
        return image.axes if image is not None else (() if link is None else link.new)
