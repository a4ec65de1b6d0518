"""An upper bound on what a set of given size can weigh when edges inside it count against it."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.networks.bounds._clique_rows import clique_rows_bound
from graphkit.networks.bounds._convex_set import Spectrum, convex_set_bound, price_of_spectrum, spectrum_of
from graphkit.networks.bounds._pair_flows import pair_multipliers
from graphkit.networks.bounds._set_question import Candidates, SetQuestion, Told, heaviest, spares_of, told_by

# with more pairs no linear program is solved
_MOST_EDGES = 200_000
# what it takes beside its edges, and how many of those take as long as one of a program by the simplex method
_FLOWS, _FASTER = 1_000, 2
# with no more than that cliques are looked for in it, with more a convex program tells as much and sooner
_FEW_EDGES = 15_000
# elsewhere so near to the value of a set is near enough
_NEAR = 0
# a program of this share of the vertices tells nothing of other questions
_FEWER = 0.6
# to try the multipliers of other questions, in edges of a linear program, and the pairs that take as long as an edge
_LOOK, _PRODUCT = 100, 320
# with more vertices their eigenvalues serve for all who begin at about the same one
_MANY, _BESIDE = 300, 32
ANY = 1 << 60
"""Above everything that a set can have."""


class SetBound(NamedTuple):
    """What is known of the largest value of a set."""

    bound: int
    """No set has more."""
    edges: int
    """Edges of the linear program that was solved, and what all else took in these; 0 where there was nothing to do."""
    value: int = -ANY
    """Some set has that, where one was looked for."""
    is_final: bool = True
    """Whether the bound is as good as it gets; elsewhere it was good enough, or of no use."""

    def serves(self, enough: int, useless: int) -> bool:
        """Return whether to ask again would tell no more that is wanted; see :meth:`BestSets.bound`."""
        return self.is_final or self.bound <= enough or self.value >= useless


class BestSets:
    """Upper bounds on ``Σ_{u in Y} w_u − m(Y)`` over all sets Y of a size, for many questions about the same vertices.

    Parameters
    ----------
    adjacent : ndarray of bool, shape (n, n)
        Symmetric; m(Y) counts the adjacent pairs inside Y.

    Examples
    --------
    >>> triangle = np.ones((4, 4), bool) ^ np.eye(4, dtype=bool); triangle[3] = triangle[:, 3] = False
    >>> BestSets(triangle).bound(np.array([2, 2, 2, 1]), 2).bound  # one of the triangle and the loner
    3
    """

    def __init__(self, adjacent: Bools) -> None:
        self._adjacent = adjacent.copy()
        np.fill_diagonal(self._adjacent, False)
        self._multipliers = np.zeros(adjacent.shape, dtype=np.int16)
        # who has any
        self._has_some = np.zeros(adjacent.shape[0], dtype=np.bool_)
        self._spectra: dict[int, Spectrum] = {}

    def bound(
        self,
        weights: Ints,
        size: int,
        *,
        apart: Bools | None = None,
        spare: int | None = None,
        enough: int = -ANY,
        useless: int = ANY,
        work: int = ANY,
    ) -> SetBound:
        """Return an upper bound on what a set of the last vertices has.

        Parameters
        ----------
        weights : ndarray of int64, shape (c,)
            Weight w_u of every candidate: of the last c vertices.
        size : int
            Number of vertices in Y, at most c where there are no others.
        apart : ndarray of bool, shape (c,), optional
            Who counts as adjacent to nobody.
        spare : int, optional
            Weight of others that are adjacent to nobody, of which there are as many as are wanted.
        enough : int, optional
            A bound of at most that is as good as any smaller one.
        useless : int, optional
            So is any bound where a set is found that has that or more.
        work : int, optional
            Edges that a linear program may have, and about those of all for cliques. What others tell is the answer
            where it takes more.

        Notes
        -----
        The multipliers of another question are tried first. Where they are not near enough to the value
        of a set, they tell who is in all sets that are better and who is in none: a vertex whose term is so much above
        the next one, or below the last one that counts. If those are many, the linear program is about the others
        alone. Where that is above the value as well, rows for cliques and branching tell what the best set has,
        :func:`~graphkit.networks.bounds._clique_rows.clique_rows_bound`; of many pairs a convex program,
        :func:`~graphkit.networks.bounds._convex_set.convex_set_bound`.

        *Proof.* For any multipliers ``0 ≤ y_e ≤ 1`` and any Y: ``m(Y) ≥ Σ_e y_e·(z_u + z_v − 1)``, z the indicator of
        Y, so the value is at most ``Σ_e y_e + Σ_{u in Y} (w_u − Σ_{e at u} y_e)``, and that is largest for the `size`
        largest terms. The multipliers come from the linear program whose dual this is (``x_e ≥ z_u + z_v − 1``), by
        maximum flows (:func:`~graphkit.networks.bounds._pair_flows.pair_multipliers`); they are rounded to a grid and
        the bound is summed in integers, so it does not rest on floating point. With degrees for weights the value is
        the number of edges that Y covers, and the program is nearly integral where degrees are skewed.

        A candidate with ``w_u < w_(size) − (size − 1)`` is in no best set: exchanging it for one of the `size` heaviest
        that is missing gains more than the at most size − 1 pairs that it can cost. Such candidates are left out first.
        The others of one weight are one variable, between 0 and `size`.
        """
        if size == 0:
            return SetBound(0, 0)
        first = self._adjacent.shape[0] - weights.size
        spares = spares_of(spare, size)
        top = heaviest(weights, spares, size)
        by_weight = int(top.sum())
        if by_weight <= enough:
            return SetBound(by_weight, 0, is_final=False)
        least = top[-1] - (size - 1)
        kept = np.flatnonzero(weights >= least)
        among = Candidates(
            kept + first, weights[kept], None if apart is None else apart[kept], size, spares[spares >= least]
        )
        if among.weights.size + among.spares.size == size:
            return SetBound(by_weight - among.question(self._adjacent).edges, 0)
        return self._among(among, by_weight, first, enough, useless, work)

    def _among(self, among: Candidates, by_weight: int, first: int, enough: int, useless: int, work: int) -> SetBound:
        """Return the bound, first by multipliers of other questions; those that a program finds are kept."""
        n, size = among.weights.size, among.size
        told, took = self._known(among)
        value, looked = among.value_near(self._adjacent, told.terms)
        # multipliers of another question may tell less than the weights alone
        bound, took = min(told.bound, by_weight), took + _LOOK + looked**2 // _PRODUCT
        if bound - value <= _NEAR or bound <= enough or value >= useless:
            return SetBound(bound, took, value, bound - value <= _NEAR)
        # sets that are better than the known one have all of some, and none of others
        is_in, is_left = told.certain(n, size, value)
        left = int(np.count_nonzero(is_left))
        if not 0 < size - np.count_nonzero(is_in) <= left + among.spares.size:
            return SetBound(bound, took, value)
        some = is_in | is_left
        question = among.only(some).question(self._adjacent)
        took += question.n**2 // _PRODUCT
        edges = question.edges
        price = _price(edges)
        if price > work:
            return SetBound(bound, took, value)
        if left > _FEWER * n:
            if edges <= _MOST_EDGES:
                found, took = pair_multipliers(question), took + price
                bound = min(bound, max(value, _of_pairs(question, found.sum(axis=1)).bound))
                self._remember(among.vertices[some], found)
        else:
            inside, rest = question.parted(is_in[some], is_left[some])
            took += _price(rest.edges)
            bound = min(bound, max(value, inside + _of_pairs(rest, pair_multipliers(rest).sum(axis=1)).bound))
        if bound <= max(value, enough):
            return SetBound(bound, took, value, bound == value)
        if edges <= _FEW_EDGES:
            cliques = clique_rows_bound(question, value, enough, useless, work)
            bound = min(bound, cliques.bound)
            is_final = bound > enough and cliques.value < useless
            return SetBound(bound, took + cliques.edges, cliques.value, is_final)
        spectrum, price = self._spectrum(first)
        convex = convex_set_bound(question, spectrum)
        value = max(value, convex.value)
        return SetBound(min(bound, max(value, convex.bound)), took + price + convex.edges, value)

    def _known(self, among: Candidates) -> tuple[Told, int]:
        """Return what multipliers of other questions tell, and what that took."""
        has = self._has_some[among.vertices]
        if among.apart is not None:
            has &= ~among.apart
        loads, vertices = np.zeros(has.size, dtype=np.int64), among.vertices[has]
        loads[has] = self._multipliers[np.ix_(vertices, vertices)].sum(axis=1, dtype=np.int64)
        return _of_pairs(among, loads), vertices.size**2 // _PRODUCT

    def _remember(self, vertices: Ints, found: Ints) -> None:
        self._multipliers[np.ix_(vertices, vertices)] = found
        self._has_some[vertices[found.any(axis=1)]] = True

    def _spectrum(self, first: int) -> tuple[Spectrum | None, int]:
        """Return the spectrum of more than all candidates, where it would take long for each, and its price."""
        begin = first - first % _BESIDE
        size = self._adjacent.shape[0] - begin
        if size <= _MANY:
            return None, 0
        if begin in self._spectra:
            return self._spectra[begin], 0
        self._spectra[begin] = spectrum_of(self._adjacent[begin:, begin:])
        return self._spectra[begin], price_of_spectrum(size)


def _of_pairs(question: SetQuestion | Candidates, loads: Ints) -> Told:
    """Return what multipliers of the pairs tell, of which the sum at each vertex is given."""
    return told_by(question, loads, int(loads.sum()) // 2)


def _price(edges: int) -> int:
    """Return how long a linear program takes, in edges."""
    return _FLOWS + edges // _FASTER if edges else 0
