"""The graph and the draw of an earlier export: unchanged records are published with them again."""

from collections.abc import Sequence

from auditor.core.errors import Refused
from auditor.exports.repository import Exports
from auditor.subjects.microdata.exports.generalized.claim_record import claim_of, is_freeform
from auditor.subjects.microdata.exports.key import read_key
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from graphkit.arrays import Ints
from graphkit.microdata.demand import Demand
from graphkit.microdata.generalization.suppression.allowance import part_of
from graphkit.numbers import counted


def earlier_graph(
    stored: StoredRecords,
    attributes: Sequence[str],
    k: int,
    demands: Sequence[Demand] = (),
    *,
    suppress: float = 0.0,
    together: bool = True,
) -> Ints | None:
    """Return who may be behind whom in the newest export of the same attributes and k that is out.

    Parameters
    ----------
    stored : StoredRecords
    attributes : sequence of str
    k : int
    demands : sequence of Demand, optional
        What must have been demanded then: only those matchings are known to meet it, of which one was drawn.
    suppress : float, optional
        Share of the records that may be left out: it left out no more.
    together : bool, optional
        Whether releases must hold k together. Otherwise an export that demanded less, or left out more, is no obstacle
        to a new draw.

    Returns
    -------
    ndarray of int, shape (n, k), or None
        By the record that each published one is made of, the records that it covers, −1 where that was left out;
        None where there is no such export, or its key was not kept.

    Raises
    ------
    Refused
        If there are such exports, and all demanded less or left out more.

    Notes
    -----
    Who knows two draws looks in the intersection: the second one must be the first one.
    """
    less, more = 0, 0
    for export in Exports(stored.store).list(f"microdata:{stored.info.name}"):
        claim = export.claim
        if export.is_out and is_freeform(claim) and claim["k"] == k and set(claim["attributes"]) == set(attributes):
            key = read_key(stored.store, export)
            if key is not None and key.published.size == stored.info.records:
                claimed = claim_of(claim)
                is_demanded = _demanded(demands, claimed.demands)
                if is_demanded and claimed.suppressed <= part_of(suppress, stored.info.records):
                    return key.hiding
                less, more = less + (not is_demanded), more + is_demanded
    if less and together:
        raise Refused(
            f"{counted(less, 'earlier export', 'earlier exports')} of the same attributes and k demanded less of "
            "sensitive columns or households, and a second draw could be intersected with the first; demand the same"
        )
    if more and together:
        raise Refused(
            f"{counted(more, 'earlier export', 'earlier exports')} of the same attributes and k left out more records, "
            "and a second draw could be intersected with the first; allow as many (--suppress)"
        )
    return None


def _demanded(demands: Sequence[Demand], earlier: Sequence[Demand]) -> bool:
    return all(any(one.is_as_strict_as(demand) for one in earlier) for demand in demands)
