"""All k-anonymous sequences of a given cost: the block dynamic program with a cost dimension."""

from collections.abc import Iterator

import numpy as np

from graphkit.arrays import Ints, Rng
from graphkit.errors import InvalidInput
from graphkit.networks.sequences.degree_raises import DegreeRaises, natural_raises

_FAR = np.int64(1) << 60


class BlockSequences:
    """The k-anonymous block sequences above a given one whose cost exceeds the minimum by at most `excess`.

    Parameters
    ----------
    block_sequence : ndarray of int64, shape (Δ+1,)
        ``block_sequence[d]`` vertices have degree d.
    k : int
        Required block size, from 1 to the number of vertices.
    excess : int, optional
        How far above the minimum costs are kept.
    raise_maximum : int, optional
        How far above Δ a degree may end.

    Raises
    ------
    InvalidInput
        If there are fewer than `k` vertices, or `excess` or `raise_maximum` is negative.

    Notes
    -----
    State (i, t): t of the vertices of degree at most i end above i. Then ``b'_i = t_{i−1} + b_i − t_i``, which must be
    0 or at least k, and *the cost is Σ t_i*, one unit for every vertex and every degree that it is raised past. A
    sequence is a path t_0, t_1, …, t_last = 0, and different paths are different sequences.

    For fixed t_i the admissible t_{i−1} are one value (the block is emptied) and all values from ``t_i − b_i + k`` on:
    a suffix. Suffix minima give the minimum in O(Δ·k), where the recursion of the paper takes O(Δ·k²). Which costs are
    reachable is a bit set a state, kept only where a path of minimum + `excess` can pass; suffix unions are O(Δ·k)
    operations on bit sets of O(excess) bits.

    t < 2k + `excess` suffices: of t ≥ 2k + excess vertices that pass degree i, all but 2k − 1 could have stayed there,
    group by group, which would save more than `excess`.

    References
    ----------
    Hartung, Hoffmann, Nichterlein 2014, Lemma 1.

    Examples
    --------
    >>> sequences = BlockSequences(np.array([0, 3, 1, 4, 0, 1, 1]), k=2)
    >>> sequences.minimum
    2
    >>> [raises.source.tolist() for raises in sequences.of_cost(2)]
    [[1, 5], [2, 5]]
    """

    def __init__(self, block_sequence: Ints, k: int, excess: int = 0, raise_maximum: int = 0) -> None:
        n = int(block_sequence.sum())
        if not 1 <= k <= n:
            raise InvalidInput(f"k ({k}) must be between 1 and the number of vertices ({n})")
        if excess < 0 or raise_maximum < 0:
            raise InvalidInput("excess and raise_maximum must not be negative")
        self._blocks = np.concatenate((block_sequence, np.zeros(raise_maximum, dtype=np.int64)))
        self._k = k
        self._excess = excess
        self._width = min(n, 2 * k - 1 + excess) + 1
        to_end = self._costs_to_end()
        self.minimum = int(to_end[0][0])
        """The least cost."""
        self._reachable = self._costs(to_end[1:])

    def of_cost(self, cost: int) -> Iterator[DegreeRaises]:
        """Yield every sequence of exactly `cost`, once each, in a fixed order.

        Raises
        ------
        InvalidInput
            If `cost` is above minimum + excess, where sequences were not kept.
        """
        if cost > self.minimum + self._excess:
            raise InvalidInput(f"costs up to {self.minimum + self._excess} were kept, not {cost}")
        last = self._blocks.size - 1
        if cost < 0 or not self._reachable[last].get(0, 0) >> cost & 1:
            return
        # depth first with a stack of its own: a path has Δ + 1 steps, more than Python may recurse
        path = [0]
        choices = [self._predecessors(last, 0, cost)]
        while choices:
            if len(path) == last + 1:
                yield self._raises(path[::-1])
            elif (step := next(choices[-1], None)) is not None:
                t, rest = step
                path.append(t)
                choices.append(self._predecessors(last + 1 - len(path), t, rest))
                continue
            path.pop()
            choices.pop()

    def at_random(self, cost: int, rng: Rng) -> DegreeRaises:
        """Return one of the sequences of exactly `cost`, which must be one of :meth:`costs`.

        Each step of a path is drawn from those that lead on with equal chance, so not all sequences are equally likely.
        """
        path = [0]
        while len(path) < self._blocks.size:
            steps = list(self._predecessors(self._blocks.size - len(path), path[-1], cost))
            before, cost = steps[int(rng.integers(len(steps)))]
            path.append(before)
        return self._raises(path[::-1])

    def costs(self) -> list[int]:
        """Return the costs, from the minimum to minimum + excess, that some sequence has."""
        bits = self._reachable[self._blocks.size - 1].get(0, 0)
        return [c for c in range(self.minimum, self.minimum + self._excess + 1) if bits >> c & 1]

    def _predecessors(self, i: int, t: int, cost: int) -> Iterator[tuple[int, int]]:
        """Yield t_{i−1} and the cost up to there for every way to reach state (i, t) with `cost`."""
        rest = cost - t
        if i == 0 or rest < 0:
            return
        for before, bits in sorted(self._reachable[i - 1].items()):
            size = before + int(self._blocks[i]) - t
            if (size == 0 or size >= self._k) and bits >> rest & 1:
                yield before, rest

    def _costs_to_end(self) -> list[Ints]:
        """Return the least cost from every state to the end, the t there not counted, first before degree 0 (t = 0)."""
        t = np.arange(self._width)
        layers = [np.where(t == 0, np.int64(0), _FAR)]
        for size in self._blocks[::-1].tolist():
            following = layers[-1] + t
            # t_i = t + size (emptied) or t_i <= t + size - k
            prefix = np.minimum.accumulate(following)
            best = np.full(self._width, _FAR)
            emptied = t + size
            valid = emptied < self._width
            best[valid] = following[emptied[valid]]
            end = np.minimum(emptied - self._k, self._width - 1)
            valid = end >= 0
            best[valid] = np.minimum(best[valid], prefix[end[valid]])
            layers.append(np.minimum(best, _FAR))
        return layers[::-1]

    def _costs(self, to_end: list[Ints]) -> list[dict[int, int]]:
        """Return, for every i and useful t, the bit set of costs with which the state is reached."""
        limit = self.minimum + self._excess
        layers: list[dict[int, int]] = []
        previous = {0: 1}
        for size, rest in zip(self._blocks.tolist(), to_end, strict=True):
            layer: dict[int, int] = {}
            union, sources = 0, sorted(previous, reverse=True)
            position = 0
            for t in np.flatnonzero(rest <= limit)[::-1].tolist():
                start = t - size + self._k
                while position < len(sources) and sources[position] >= start:
                    union |= previous[sources[position]]
                    position += 1
                bits = (union | previous.get(t - size, 0)) << t
                bits &= (1 << max(limit - int(rest[t]) + 1, 0)) - 1
                if bits:
                    layer[t] = bits
            layers.append(layer)
            previous = layer
        return layers

    def _raises(self, path: list[int]) -> DegreeRaises:
        """Return the degree raises of a path."""
        return natural_raises(self._blocks, self._blocks - np.diff(path, prepend=0))
