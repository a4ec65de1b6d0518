"""What leaves of an edge table: the edges and the added ones under fresh ids, in the order of those ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.edge_table.vertices import as_table

if TYPE_CHECKING:
    import ibis.expr.types as ir

_SECRET_BYTES = 32
# twice 48 bits of the digest: short text is compared several times faster than long text
_DIGITS = 12


def published_ids(vertices: ir.Table, secret: bytes) -> ir.Table:
    """Return a permutation of the vertices, columns ``vertex`` and ``published``; the caller keeps it in the backend.

    Parameters
    ----------
    vertices : ibis Table
        Column ``vertex``, each once: :attr:`~graphkit.networks.edge_table.view.EdgeTableView.vertices`.
    secret : bytes
        32 bytes from the operating system's randomness (``os.urandom``), used once and forgotten.

    Raises
    ------
    InvalidInput
        If the secret has another length.

    Notes
    -----
    Vertices are sorted by the SHA-256 of secret and vertex: without the secret the order cannot be drawn again. Every
    backend gives the same, also when it computes a lost part once more, where its own random numbers would differ.
    96 bits of the digest are compared; two vertices agree in them with probability below n²/2⁹⁷.
    """
    import ibis
    import pyarrow as pa

    if len(secret) != _SECRET_BYTES:
        raise InvalidInput(f"the secret must be {_SECRET_BYTES} random bytes, got {len(secret)}")
    # joined as data: a literal would stand in the text of the query, which backends keep and show
    hidden = ibis.memtable(pa.table({"secret": [secret.hex()]}))
    mixed = vertices.cross_join(hidden)
    keyed = mixed.select("vertex", digest=(mixed.secret + mixed.vertex.cast("string")).hexdigest("sha256"))
    keyed = keyed.select("vertex", first=keyed.digest.substr(0, _DIGITS), second=keyed.digest.substr(_DIGITS, _DIGITS))
    order = [keyed.first, keyed.second, keyed.vertex]
    return keyed.select("vertex", published=ibis.row_number().over(order_by=order))


def released_edges(edges: ir.Table, added: Ints, published: ir.Table) -> ir.Table:
    """Return all edges under their new ids, columns ``source`` < ``target``, ascending.

    Parameters
    ----------
    edges : ibis Table
        The original, columns ``low`` and ``high``.
    added : ndarray of int64, shape (s, 2)
        New edges, none of them in `edges`.
    published : ibis Table
        Columns ``vertex`` and ``published``, as :func:`published_ids` makes it, kept in the backend.

    Notes
    -----
    Two joins and one sort, which is what hides the added edges among the others.
    """
    import ibis

    edges = edges.select(low=edges.low.cast("int64"), high=edges.high.cast("int64"))
    whole = edges.union(as_table(low=added[:, 0], high=added[:, 1]))
    # Spark numbers rows with 32 bits
    one = published.select(low="vertex", one=published.published.cast("int64"))
    other = published.select(high="vertex", other=published.published.cast("int64"))
    moved = whole.join(one, "low").join(other, "high")
    pairs = moved.select(source=ibis.least(moved.one, moved.other), target=ibis.greatest(moved.one, moved.other))
    return pairs.order_by("source", "target")
