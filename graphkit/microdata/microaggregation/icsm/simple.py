"""1-opt and 2-opt: the best migration or exchange of every record; those that do not touch each other are applied."""

import numpy as np

from graphkit.arrays import Bools, Floats, Ints
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.distances import apart
from graphkit.microdata.microaggregation.icsm._weights import layout, leaving


class SimpleHeuristic:
    """A partition that is improved round by round until no migration or exchange makes its SSE smaller.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
    k : int
    labels : ndarray of int, shape (n,)
        Groups of k to 2k − 1 records, numbered from 0 on; changed in place.
    tolerance : float
        What an improvement is more than.

    Notes
    -----
    The pool of the paper holds the best improvement of every record. All are compared once, O(n² d); after a round only
    what touches a group that has changed. A pair is skipped where the triangle inequality proves that it gains nothing.
    """

    def __init__(self, points: Floats, k: int, labels: Ints, tolerance: float) -> None:
        self.points, self.k, self.labels, self.tolerance = points, k, labels, tolerance
        self.gains = np.zeros(labels.size)
        # what is gained is had from a record, or from a group: that is n + its number
        self.partners = np.full(labels.size, -1, dtype=np.int64)
        self.changed = np.ones(int(labels.max()) + 1, dtype=np.bool_)

    def round(self) -> tuple[int, int]:
        """Apply the best improvements of which no two touch a group; return how many, and the distances computed."""
        members, sizes, means = layout(self.points, self.labels, self.k)
        work = int(
            _look(self.points, self.k, self.labels, members, sizes, means, self.changed, self.gains, self.partners)
        )
        pool = np.flatnonzero(self.gains < -self.tolerance)
        pool = pool[np.argsort(self.gains[pool], kind="stable")]
        self.changed[:] = False
        return int(_apply(pool, self.partners, self.labels, self.changed)), work


@kernel
def _look(
    points: Floats,
    k: int,
    labels: Ints,
    members: Ints,
    sizes: Ints,
    means: Floats,
    changed: Bools,
    gains: Floats,
    partners: Ints,
) -> int:
    """Bring the best improvement of every record up to date; return how many distances that took."""
    n, groups = labels.size, sizes.size
    own, radii = np.empty(n), np.zeros(groups)
    for record in range(n):
        group = labels[record]
        own[record] = apart(points, record, means, group)
        radii[group] = max(radii[group], np.sqrt(own[record]))
    touched = np.flatnonzero(changed)
    everything = np.arange(groups)
    work = 0
    for record in range(n):
        partner = partners[record]
        is_stale = changed[labels[record]]
        if partner >= 0:
            is_stale = is_stale or changed[partner - n if partner >= n else labels[partner]]
        if is_stale:
            gains[record], partners[record] = 0.0, -1
        work += _look_into(
            points,
            k,
            labels,
            members,
            sizes,
            means,
            own,
            radii,
            everything if is_stale else touched,
            record,
            gains,
            partners,
        )
    return work


@kernel
def _look_into(
    points: Floats,
    k: int,
    labels: Ints,
    members: Ints,
    sizes: Ints,
    means: Floats,
    own: Floats,
    radii: Floats,
    targets: Ints,
    record: int,
    gains: Floats,
    partners: Ints,
) -> int:
    n, d = points.shape
    here = labels[record]
    gone = leaving(points, means, sizes, k, record, here)
    best, partner = gains[record], partners[record]
    distance = np.sqrt(own[record])
    work = 0
    for there in targets:
        if there == here:
            continue
        far = apart(points, record, means, there)
        work += 1
        if gone < np.inf and sizes[there] < 2 * k - 1:
            change = gone + far * sizes[there] / (sizes[there] + 1.0)
            if change < best:
                best, partner = change, n + there
        shares = 1.0 / sizes[here] + 1.0 / sizes[there]
        root, radius = np.sqrt(far), radii[there]
        # a member of the other group is at least so far from the mean of this one
        outside = max(0.0, root - distance - radius)
        least = far - own[record] + outside * outside - radius * radius - (root + radius) * (root + radius) * shares
        if least >= best:
            continue
        work += sizes[there]
        for at in range(sizes[there]):
            other = members[there, at]
            change = far - own[record] - own[other]
            back, square = 0.0, 0.0
            for t in range(d):
                step = points[other, t] - means[here, t]
                back += step * step
                step = points[other, t] - points[record, t]
                square += step * step
            change += back - square * shares
            if change < best:
                best, partner = change, other
    gains[record], partners[record] = best, partner
    return work


@kernel
def _apply(pool: Ints, partners: Ints, labels: Ints, changed: Bools) -> int:
    n = labels.size
    applied = 0
    for record in pool:
        partner = partners[record]
        here = labels[record]
        there = partner - n if partner >= n else labels[partner]
        if changed[here] or changed[there]:
            continue
        changed[here] = changed[there] = True
        labels[record] = there
        if partner < n:
            labels[partner] = here
        applied += 1
    return applied
