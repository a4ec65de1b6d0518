"""What a service asks its store when it starts: the store then knows how to answer when the first person asks."""

from contextlib import suppress

from auditor.audits.open_findings import OpenFilter, count_open_findings, find_open_findings
from auditor.audits.overview import Overview, OverviewFilter
from auditor.core.errors import AuditorError
from auditor.core.kinds import kinds, part
from auditor.store import Store


def warm_up(store: Store) -> None:
    """Ask what the first pages ask, for one row each.

    A store plans a query when it first sees it, which takes it longer than to answer it. What fails here fails again,
    and is told, where somebody asks for it.
    """
    with suppress(AuditorError):
        overview = Overview(store)
        overview.read_part(OverviewFilter(), limit=1)
        overview.totals(OverviewFilter())
        find_open_findings(store.connection, OpenFilter(), limit=1)
        count_open_findings(store.connection, OpenFilter())
        store.ledger.show(1)
        for kind in kinds():
            if kind.searched:
                part(kind.searched)(store, "", 1)
