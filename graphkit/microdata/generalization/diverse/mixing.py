"""Matchings that were constructed, made random before one is drawn: each of them stays diverse."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.errors import InvalidInput
from graphkit.kernels import kernel
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.diverse._matched import Matched, cycle, flip, flip_change, matched_of
from graphkit.microdata.generalization.diverse.demands import Sensitive, sensitive_of
from graphkit.microdata.generalization.matchings import check_regular

_SHORT = 64
"""Tuples of a cycle, at most, in all but a few rounds: longer ones hardly ever stay diverse."""
_TURNS, _LONG_TURNS = 8, 20


def mixed(
    matchings: Ints,
    demands: Sequence[Demand],
    values: Sequence[Ints],
    rng: Rng,
    totals: Sequence[Ints | None] | None = None,
) -> Ints:
    """Return other matchings of the same graph under each of which every original still sees what is demanded.

    Parameters
    ----------
    matchings : ndarray of int, shape (k, n)
        Record of every tuple in every matching; disjoint.
    demands : sequence of Demand
    values : sequence of ndarray of int, shape (n,)
        Of each demand, the category of every record.
    rng : numpy.random.Generator
        To protect anybody it must be seeded by the operating system.
    totals : sequence of ndarray of int or None, optional
        Of each demand, how often each category is in the whole file, where these records are a part of it.

    Returns
    -------
    ndarray of int, shape (k, n)

    Raises
    ------
    InvalidInput
        If the matchings are not disjoint, or what is demanded is missed under one of them.

    Notes
    -----
    Two matchings make cycles; along one of them they are exchanged where what is demanded stays met under both. This is
    tried about four times for each edge, in O(n k) steps of O(k²) each at most.

    Guaranteed by a uniform draw of one of the k afterwards, which is never rejected: each pair of a tuple and a record
    that it covers is in exactly one matching, so that the tuple has the sensitive values of the record with probability
    1/k, whatever is known of the graph and of these matchings. Under all of them every original sees what is demanded.

    Not guaranteed: the matchings are not uniform among those that meet the demands, and some edges may stay together as
    they were constructed; who knows whose record some are may know more of others. The graph was made with regard to
    sensitive values: who can run the engine on guessed values may rule out some guesses.

    References
    ----------
    Wong, Fu, Wang, Pei: Minimality attack in privacy preserving data publishing, VLDB 2007, for the last point.
    """
    rows = np.ascontiguousarray(np.asarray(matchings).T, dtype=np.int64)
    check_regular(rows)
    if any(np.unique(column).size != column.size for column in rows.T):
        raise InvalidInput("a matching gives two tuples the same record")
    sensitive = sensitive_of(demands, values, totals)
    matched = matched_of(rows, sensitive)
    if (matched.lacks > 0).any():
        raise InvalidInput("what is demanded of sensitive values is missed under a matching")
    n, k = rows.shape
    if k > 1:
        for turns, longest in ((_TURNS * n * k, min(n, _SHORT)), (_LONG_TURNS * k, n)):
            # drawn beforehand, one row a turn: a small state inside of a kernel would tell more than its numbers
            turned = np.stack([rng.integers(0, bound, turns) for bound in (n, k, k - 1, 2)], axis=1)
            _mix(sensitive, matched, turned, longest)
    return np.ascontiguousarray(matched.rows.T)


@kernel
def _mix(sensitive: Sensitive, matched: Matched, turned: Ints, longest: int) -> None:
    path, held = np.empty(longest, dtype=np.int64), np.empty(matched.rows.shape[1], dtype=np.int64)
    for turn in range(turned.shape[0]):
        first, t, u, is_made = turned[turn]
        u += u >= t
        # not every one: the parity of what was exchanged would follow from how many turns there are
        if not is_made:
            continue
        count = cycle(matched, first, t, u, path)
        if not count:
            continue
        flip(matched, path, count, t, u)
        if flip_change(sensitive, matched, path, count, t, u, held, True, False) > 0:
            flip(matched, path, count, t, u)
