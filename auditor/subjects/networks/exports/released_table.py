"""A released edge table verified from its file, a piece at a time: it may be larger than memory."""

from pathlib import Path

from auditor.formats.edge_tables.parquet import file_edges, file_vertices
from graphkit.networks.edge_table import verify_ordered_edges
from graphkit.networks.verify import Check, DegreeClaim
from graphkit.networks.verify.check import ids_check

_UNREADABLE = Check("readable", False, "the released file cannot be read as an edge table")
_NO_PAIRS = Check("simple", False, "the edges are not pairs of numbers")


def verify_released_table(path: Path, vertices: Path | None, claim: DegreeClaim) -> tuple[Check, ...]:
    """Return the checks of a released edge table that its file shows by itself.

    Parameters
    ----------
    path : Path
        The released Parquet file.
    vertices : Path or None
        The vertex file that was released with it; None: every vertex has an edge.
    claim : DegreeClaim
        Without what only the original shows.

    Notes
    -----
    O(m) time, and memory for 16 bytes of each vertex and some pieces.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            kinds, rows = file.schema_arrow.types, file.metadata.num_rows
        if len(kinds) != 2 or not all(map(pa.types.is_integer, kinds)):
            return (_NO_PAIRS,)
        # a manifest may claim any number, and memory is taken for each
        if claim.n > 2 * rows + (0 if vertices is None else vertices.stat().st_size):
            return (ids_check(False),)
        listed = None if vertices is None else file_vertices(vertices)
        found = verify_ordered_edges(claim, file_edges(path), rows, vertices=listed)
    except (pa.ArrowException, OSError, ValueError):
        return (_UNREADABLE,)
    # how many edges were meant is in no manifest
    return tuple(check for check in found.checks if check.name != "size")
