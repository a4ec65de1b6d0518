"""Which originals and published records some matching of all published records links."""

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.microdata.consistency import Consistency


def candidates(graph: Consistency) -> tuple[Ints | None, Ints | None]:
    """Return with how many published records each original is linked by matchings of all of these, and the reverse.

    Returns
    -------
    tuple of two ndarray of int, or None
        Of every original, and of every published record. None if no matching has all published records.
    """
    found = _links(graph)
    return (None, None) if found is None else (found[0][graph.original_of], found[1][graph.extent_of])


def _links(graph: Consistency) -> tuple[Ints, Ints] | None:
    """Return the same by class of originals, and of extents."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    e, o = graph.extents.size, graph.originals.size
    tails = np.repeat(np.arange(e), np.diff(graph.offsets))
    flow = _flow(graph, tails)
    if flow is None:
        return None
    used = flow > 0
    # an original that has no record may take that of another one: both are joined by one vertex more
    assigned = np.bincount(graph.found, flow, minlength=o).astype(np.int64)
    free, taken = np.flatnonzero(assigned < graph.originals), np.flatnonzero(assigned > 0)
    rows = np.concatenate((tails, e + graph.found[used], e + free, np.full(taken.size, e + o)))
    columns = np.concatenate((e + graph.found, tails[used], np.full(free.size, e + o), e + taken))
    arcs = csr_array((np.ones(rows.size, dtype=np.int8), (rows, columns)), shape=(e + o + 1, e + o + 1))
    component = connected_components(arcs, directed=True, connection="strong")[1]
    linked = component[tails] == component[e + graph.found]
    tails, heads = tails[linked], graph.found[linked]
    of_originals = np.bincount(heads, graph.extents[tails], minlength=o).astype(np.int64)
    of_extents = np.bincount(tails, graph.originals[heads], minlength=e).astype(np.int64)
    return of_originals, of_extents


def hidden_links(graph: Consistency, k: int, n: int) -> tuple[Ints | None, Ints | None]:
    """Return links as :func:`candidates` does, among the largest set of originals of which each has k or more.

    Parameters
    ----------
    graph : Consistency
    k : int
    n : int
        Originals that the set has at least, as many as are published: where that are all of them, no smaller set is
        looked for, nor where what remains is smaller.

    Returns
    -------
    tuple of two ndarray of int, or None
        Of every original, 0 where it is not in the set, and of every published record. None if no matching has all
        published records.
    """
    everything = int(graph.originals.sum())
    there = np.ones(graph.originals.size, dtype=np.bool_)
    while True:
        part = _of_originals(graph, there)
        found = _links(part)
        if found is None and there.all():
            return None, None
        if found is None:
            return np.zeros(graph.original_of.size, dtype=np.int64), np.zeros(graph.extent_of.size, dtype=np.int64)
        records = np.zeros(there.size, dtype=np.int64)
        records[there] = found[0]
        enough = there & (records >= k)
        if n == everything or np.array_equal(enough, there) or graph.originals[enough].sum() < n:
            return records[graph.original_of], found[1][graph.extent_of]
        there = enough


def _of_originals(graph: Consistency, there: Bools) -> Consistency:
    """Return the graph of some classes of originals; `original_of` is left as it is."""
    if there.all():
        return graph
    stays = there[graph.found]
    tails = np.repeat(np.arange(graph.extents.size), np.diff(graph.offsets))[stays]
    offsets = np.concatenate(([0], np.cumsum(np.bincount(tails, minlength=graph.extents.size))))
    found = (np.cumsum(there) - 1)[graph.found[stays]]
    return graph._replace(originals=graph.originals[there], offsets=offsets, found=found)


def _flow(graph: Consistency, tails: Ints) -> Ints | None:
    """Return how many originals of a class each edge of a matching of all extents assigns, or None if there is none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    e, o = graph.extents.size, graph.originals.size
    source, sink = e + o, e + o + 1
    rows = np.concatenate((np.full(e, source), tails, e + np.arange(o)))
    columns = np.concatenate((np.arange(e), e + graph.found, np.full(o, sink)))
    most = np.minimum(graph.extents[tails], graph.originals[graph.found])
    capacities = np.concatenate((graph.extents, most, graph.originals)).astype(np.int32)
    network = csr_array((capacities, (rows.astype(np.int32), columns.astype(np.int32))), shape=(sink + 1, sink + 1))
    found = maximum_flow(network, source, sink)
    if found.flow_value != graph.extent_of.size:
        return None
    flow = found.flow.tocoo()
    forward = (flow.row < e) & (flow.col >= e) & (flow.col < e + o) & (flow.data > 0)
    # edges are in the order of their tails, and of their heads within a tail once both are sorted by one number
    numbers = tails * o + graph.found
    order = np.argsort(numbers, kind="stable")
    places = np.searchsorted(numbers[order], flow.row[forward].astype(np.int64) * o + flow.col[forward] - e)
    flows = np.zeros(tails.size, dtype=np.int64)
    flows[order[places]] = flow.data[forward]
    return flows
