"""Marginals released of all versions of a table, translated to marginals of one of them, from both sides."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphkit.hierarchies.grouping import common_refinement
from graphkit.tables.hierarchies.hierarchical_table import needed_marginals
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.versions.table_versions import Node, VersionedMarginal, Versions
from graphkit.tables.versions.variable_image import VariableImage, translated_groups


@dataclass(frozen=True, slots=True)
class TranslatedMarginals:
    """What marginals of all versions tell of the cells of one of them, from both sides."""

    upper: frozenset[RecodedMarginal]
    """They tell at least as much: what is safe together with them is safe."""
    lower: frozenset[RecodedMarginal]
    """They tell at most as much: what is unsafe together with them is unsafe."""

    @property
    def is_exact(self) -> bool:
        """Whether both sides tell the same."""
        return set(needed_marginals(self.upper)) == set(needed_marginals(self.lower))


@dataclass(slots=True)
class _Component:
    """Marginals that hang together by variables that have no place in the version they are translated to."""

    axes: set[int] = field(default_factory=set)
    """Variables of the version that go with those: they count as known."""
    translated: list[RecodedMarginal] = field(default_factory=list)


def translate_marginals(versions: Versions, facts: Iterable[VersionedMarginal], target: int) -> TranslatedMarginals:
    """Return what marginals of all versions tell of the cells of one.

    Parameters
    ----------
    versions : Versions
    facts : iterable of VersionedMarginal
        What is out.
    target : int
        The version to translate to.

    Notes
    -----
    A marginal whose variables all follow from those of the target is translated as it is, if categories that it does
    not tell apart form groups of each variable; else these groups are made finer, or it is left out. Of a variable that
    does not follow, nothing is known there but what goes with it. Marginals that share such variables may together tell
    all about whatever goes with any of them, and count as if they did: tables that agree in that can be combined along
    it with any table of the rest.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> from graphkit.tables.versions.variable_link import VariableLink
    >>> then, now = ([Variable(name, ("no", "yes")) for name in names] for names in ("AB", "BX"))
    >>> pair = VersionedMarginal(1, RecodedMarginal((0, 1), ((0, 1), (0, 1))))
    >>> translated = translate_marginals(Versions({1: then, 2: now}, {(1, 2): [VariableLink("A", ("X",))]}), [pair], 2)
    >>> translated.upper == translated.lower == {RecodedMarginal((0, 1), ((0, 1), (0, 1)))}
    True
    """
    facts = list(facts)
    roots = _hanging_together(versions, facts, target)
    components: dict[Node, _Component] = {}
    for node, root in roots.items():
        components.setdefault(root, _Component()).axes.update(_beside(versions, node, target))
    upper: set[RecodedMarginal] = set()
    lower: set[RecodedMarginal] = set()
    for fact in facts:
        if fact.version == target:
            upper.add(fact.marginal)
            lower.add(fact.marginal)
            continue
        known = {axis: versions.image(fact.version, axis, target) for axis in fact.marginal.axes}
        images = {axis: image for axis, image in known.items() if image is not None}
        translated, same = _translated(versions, fact, images, target)
        lost = next((axis for axis, image in known.items() if image is None), None)
        if lost is None:
            upper.add(translated)
        else:
            components[roots[fact.version, lost]].translated.append(translated)
        lower.add(translated if same and lost is None else _translated_less(versions, fact, images, target))
    upper |= {_all_of(versions, component, target) for component in components.values() if component.translated}
    return TranslatedMarginals(frozenset(one for one in upper if one.axes), frozenset(one for one in lower if one.axes))


def _translated(
    versions: Versions, fact: VersionedMarginal, images: Mapping[int, VariableImage], target: int
) -> tuple[RecodedMarginal, bool]:
    groupings = [fact.marginal.grouping(axis) for axis in images]
    return translated_groups(list(images.values()), groupings, versions.shape(target))


def _translated_less(
    versions: Versions, fact: VersionedMarginal, images: Mapping[int, VariableImage], target: int
) -> RecodedMarginal:
    """Return a marginal of the other version that surely follows."""
    kept: dict[int, VariableImage] = {}
    found = RecodedMarginal((), ())
    for axis, image in images.items():
        translated, same = _translated(versions, fact, {**kept, axis: image}, target)
        if same:
            kept[axis], found = image, translated
    # variables of the target that follow from what is there with all its categories
    whole = set(fact.marginal.plain_part)
    known = dict(zip(found.axes, found.groupings, strict=True))
    for axis, size in enumerate(versions.shape(target)):
        back = versions.image(target, axis, fact.version)
        if back is not None and size > 1 and set(back.axes) <= whole:
            known[axis] = tuple(range(size))
    return RecodedMarginal(tuple(sorted(known)), tuple(known[axis] for axis in sorted(known)))


def _hanging_together(versions: Versions, facts: Sequence[VersionedMarginal], target: int) -> dict[Node, Node]:
    """Return of each variable that does not follow from the target's one of those that it hangs together with."""
    parent: dict[Node, Node] = {}

    def root(node: Node) -> Node:
        while parent.setdefault(node, node) != node:
            node = parent[node]
        return node

    def join(nodes: Iterable[Node]) -> None:
        lost = [node for node in nodes if node[0] != target and versions.image(*node, target) is None]
        for node in lost:
            parent[root(node)] = root(lost[0])

    for links in versions.linked():
        join(links)
    for fact in facts:
        join((fact.version, axis) for axis in fact.marginal.axes)
    return {node: root(node) for node in list(parent)}


def _beside(versions: Versions, node: Node, target: int) -> set[int]:
    """Return the variables of the target that go with one that does not follow from them."""
    found: set[int] = set()
    for members in versions.linked():
        if node in members:
            for version, axis in members:
                image = versions.image(version, axis, target)
                found |= set() if image is None else set(image.axes)
    return found


def _all_of(versions: Versions, component: _Component, target: int) -> RecodedMarginal:
    shape = versions.shape(target)
    known = {axis: tuple(range(shape[axis])) for axis in component.axes}
    for translated in component.translated:
        for axis, grouping in zip(translated.axes, translated.groupings, strict=True):
            known[axis] = common_refinement([known[axis], grouping]) if axis in known else grouping
    return RecodedMarginal(tuple(sorted(known)), tuple(known[axis] for axis in sorted(known)))
