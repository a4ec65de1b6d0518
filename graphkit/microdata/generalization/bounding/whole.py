"""Losses as whole numbers: sums of them are exact, so what is proven with them is proven."""

import numpy as np

from graphkit.microdata.generalization.extents import Layout

UNIT = 2.0**40
"""Losses are whole numbers of such parts of one."""


def whole_losses(layout: Layout) -> Layout:
    """Return a layout with losses that are whole numbers, of :data:`UNIT` for one, and weights of one.

    Notes
    -----
    What an attribute loses differs by less than two units from what it is with the weights: the product is rounded,
    then rounded down, and of a range so are both ends. A wider extent still loses no less.
    """
    scale = layout.scale.copy()
    ends = np.append(layout.starts[1:], scale.size)
    for start, end, weight in zip(layout.starts, ends, layout.weights, strict=True):
        scale[start:end] = np.floor(scale[start:end] * weight * UNIT)
    return layout._replace(weights=np.ones_like(layout.weights), scale=scale)
