"""Names that are somebody's already: of tokens, of requests that wait or waited, and of what each kind keeps."""

from collections.abc import Iterator

from auditor.core.kinds import kinds
from auditor.core.transactions import Transaction

# read, under the store's lock
_REQUESTS = """
MATCH (a:AuditorApproval)
UNWIND [a.asked_by, a.by, properties(a)['decided_by']] + coalesce(properties(a)['earlier'], []) AS name
WITH DISTINCT name WHERE name IS NOT NULL RETURN name
"""


def people_of_records(tx: Transaction) -> Iterator[str]:
    """Yield the names under which something was requested, decided or released: whose name it is may see that."""
    for query in (_REQUESTS, *(kind.people for kind in kinds() if kind.people)):
        yield from (str(record["name"]) for record in tx.run(query))
