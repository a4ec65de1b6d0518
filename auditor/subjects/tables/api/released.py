"""Counts that were released, to download again."""

from starlette.responses import Response

from auditor.core.errors import NotFound
from auditor.store import Store
from auditor.subjects.tables.releases.files import marginal_text
from auditor.subjects.tables.releases.pending import follows_from_out
from auditor.subjects.tables.stored.releases import Releases
from auditor.web.api.models import MarginalIn
from graphkit.tables.structure.contingency import ContingencyTable


def released_file(store: Store, name: str, asked: MarginalIn) -> Response:
    """Return a marginal that was released, as a CSV file: the released counts, or what they add up to.

    Raises
    ------
    NotFound
        If it is not out, and does not follow from a marginal that is.
    """
    headers = {"Content-Disposition": 'attachment; filename="marginal.csv"'}
    return Response(_released_text(store, name, asked), media_type="text/csv; charset=utf-8", headers=headers)


def _released_text(store: Store, name: str, asked: MarginalIn) -> str:
    state = Releases(store).state(name, tuple(asked.variables), merged=asked.merged)
    out = state.present
    if out is not None and out.cells is not None and out.counts is not None:
        counts = ContingencyTable(state.marginal.counts(state.table).variables, out.cells, out.counts)
        return marginal_text(counts, simulated=out.simulated)
    true = state.released()
    if any(state.marginal.within(marginal) for marginal in true):
        # the same data, so the sums of what went out are those of the table
        return marginal_text(state.marginal.counts(state.table))
    if state.simulated is not None and follows_from_out(state):
        return marginal_text(state.marginal.counts(state.simulated), simulated=True)
    raise NotFound(f"this marginal of the table {name!r} is not out; request it first")
