"""A variable of one version of a table as a function of variables of another one, and marginals translated by such."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.hierarchies.grouping import Grouping, numbered
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.versions.variable_link import BoundLink

_MOST_COMBINATIONS = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class VariableImage:
    """What category a variable has, given those of variables of another version."""

    axes: Axes
    """Positions there, ascending."""
    codes: Ints
    """Code of the category by those, one axis a variable; -1 for none that it has."""


def identity_image(axis: int, size: int) -> VariableImage:
    """Return a variable as it is."""
    return VariableImage((axis,), np.arange(size, dtype=np.int64))


def forward_image(link: BoundLink, shape: Sequence[int]) -> VariableImage | None:
    """Return the earlier variable by the later ones; None if it does not follow from them.

    Parameters
    ----------
    link : BoundLink
    shape : sequence of int
        Of the later version.
    """
    if not link.is_forward or math.prod(shape[axis] for axis in link.new) > _MOST_COMBINATIONS:
        return None
    return _filled(link.new, [shape[axis] for axis in link.new], link.rows[:, 1:], link.rows[:, 0])


def backward_image(
    axis: int, links: Sequence[BoundLink], then: Sequence[int], now: Sequence[int]
) -> VariableImage | None:
    """Return a later variable by earlier ones; None if it does not follow from them.

    Parameters
    ----------
    axis : int
        Of the variable in the later version.
    links : sequence of BoundLink
        Of all earlier variables that go with it.
    then, now : sequence of int
        Shapes of both versions.

    Notes
    -----
    It may follow from one of the earlier variables alone, or from all together that follow from it and others.
    """
    for link in links:
        if link.is_backward:
            rows = link.rows[link.rows[:, 0] >= 0]
            return _filled((link.old,), [then[link.old]], rows[:, :1], rows[:, 1 + link.new.index(axis)])
    images = [(link.old, image) for link in links if (image := forward_image(link, now)) is not None]
    together = tuple(sorted({at for _, image in images for at in image.axes}))
    sizes = [now[at] for at in together]
    if not images or math.prod(sizes) > _MOST_COMBINATIONS:
        return None
    if math.prod(then[old] for old, _ in images) > _MOST_COMBINATIONS:
        return None
    labels = np.stack([_spread(image, together, sizes).reshape(-1) for _, image in images], axis=1)
    own = np.indices(sizes)[together.index(axis)].reshape(-1)
    there = (labels >= 0).all(axis=1)
    rows = np.unique(np.concatenate([labels[there], own[there, None]], axis=1), axis=0)
    if np.unique(rows[:, :-1], axis=0).shape[0] < rows.shape[0]:
        return None
    return _filled(tuple(old for old, _ in images), [then[old] for old, _ in images], rows[:, :-1], rows[:, -1])


def composed_image(
    outer: VariableImage, inner: Mapping[int, VariableImage], shape: Sequence[int]
) -> VariableImage | None:
    """Return a variable by those of a third version; None if these are too many.

    Parameters
    ----------
    outer : VariableImage
        By variables of the second version.
    inner : mapping of int to VariableImage
        Each of those by variables of the third version.
    shape : sequence of int
        Of the third version.
    """
    axes = tuple(sorted({at for axis in outer.axes for at in inner[axis].axes}))
    sizes = [shape[at] for at in axes]
    if math.prod(sizes) > _MOST_COMBINATIONS:
        return None
    codes = tuple(_spread(inner[axis], axes, sizes) for axis in outer.axes)
    missing = np.any([code < 0 for code in codes], axis=0)
    return VariableImage(axes, np.where(missing, -1, outer.codes[codes]))


def translated_groups(
    images: Sequence[VariableImage], groupings: Sequence[Grouping], shape: Sequence[int]
) -> tuple[RecodedMarginal, bool]:
    """Return the coarsest marginal of a table from which a marginal by other variables follows.

    Parameters
    ----------
    images : sequence of VariableImage
        The other variables by those of the table.
    groupings : sequence of Grouping
        Their categories that are one in the marginal.
    shape : sequence of int
        Of the table.

    Returns
    -------
    RecodedMarginal
    bool
        Whether it says no more than that one.

    Examples
    --------
    >>> pair = VariableImage((0,), np.array([0, 0, 1, 1])), VariableImage((0,), np.array([0, 1, 0, 1]))
    >>> translated_groups(pair, [(0, 1), (0, 1)], (4, 2))
    (RecodedMarginal(axes=(0,), groupings=((0, 1, 2, 3),)), True)
    >>> translated_groups([VariableImage((0, 1), np.array([[0, 1], [1, 1]]))], [(0, 1)], (2, 2))
    (RecodedMarginal(axes=(0, 1), groupings=((0, 1), (0, 1))), False)
    """
    found: dict[int, Grouping] = {}
    same = True
    for axes, members in _clusters(images):
        sizes = [shape[axis] for axis in axes]
        if math.prod(sizes) > _MOST_COMBINATIONS:
            found.update({axis: tuple(range(shape[axis])) for axis in axes})
            same = False
            continue
        labels = np.zeros(sizes, dtype=np.int64)
        for place in members:
            codes = _spread(images[place], axes, sizes)
            # none of the categories is a group by itself
            group = np.array([*groupings[place], max(groupings[place]) + 1], dtype=np.int64)[codes]
            labels = np.unique(labels * (int(group.max()) + 1) + group, return_inverse=True)[1].reshape(sizes)
        groups = [_alike(labels, place) for place in range(len(axes))]
        found.update(zip(axes, groups, strict=True))
        same &= int(labels.max()) + 1 == math.prod(max(grouping) + 1 for grouping in groups)
    translated = sorted((axis, grouping) for axis, grouping in found.items() if max(grouping) > 0)
    return RecodedMarginal(tuple(axis for axis, _ in translated), tuple(grouping for _, grouping in translated)), same


def _clusters(images: Sequence[VariableImage]) -> list[tuple[Axes, list[int]]]:
    """Return sets of variables that no image goes across, each with the images within."""
    found: list[tuple[set[int], list[int]]] = []
    for place, image in enumerate(images):
        axes, members = set(image.axes), [place]
        for others in [one for one in found if one[0] & axes]:
            found.remove(others)
            axes |= others[0]
            members += others[1]
        found.append((axes, members))
    return [(tuple(sorted(axes)), sorted(members)) for axes, members in found]


def _alike(labels: Ints, place: int) -> Grouping:
    """Return groups of categories that make no difference, whatever the other categories are."""
    rows = np.moveaxis(labels, place, 0).reshape(labels.shape[place], -1)
    return numbered(np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).tolist())


def _filled(axes: Sequence[int], sizes: Sequence[int], keys: Ints, values: Ints) -> VariableImage:
    codes = np.full(sizes, -1, dtype=np.int64)
    codes[tuple(keys.T)] = values
    order = np.argsort(np.array(axes, dtype=np.int64)).tolist()
    return VariableImage(tuple(axes[place] for place in order), np.transpose(codes, order))


def _spread(image: VariableImage, axes: Axes, sizes: Sequence[int]) -> Ints:
    """Return the codes of an image by more variables."""
    own = [size if axis in image.axes else 1 for axis, size in zip(axes, sizes, strict=True)]
    return np.broadcast_to(image.codes.reshape(own), tuple(sizes))
