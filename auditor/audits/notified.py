"""Which audit of a subject each channel was last told about, and what it is to be told of the next one.

A channel compares with the last audit that it was told about, not with the one before: an audit from the command line
under another policy takes no news away from it.
"""

from collections.abc import Mapping, Sequence

from auditor.audits.record import Audit
from auditor.core.changes import compare_findings
from auditor.core.clock import time_text
from auditor.core.finding import Finding, RecordedFinding
from auditor.core.transactions import Transaction
from auditor.notifications.outbox import write_messages
from auditor.notifications.record import AuditNews, Telling
from auditor.store.records import columns, decode

# read, under the store's lock
_TOLD = "MATCH (h:AuditorAuditHead {key: $key}) RETURN coalesce(h.told, []) AS told"
# read
_FINDINGS = f"""
MATCH (:AuditorAudit {{id: $id}})-[:FOUND]->(f:AuditorFinding)
RETURN {columns(RecordedFinding, "f")} AS finding ORDER BY f.place
"""
# write
_SET_TOLD = "MATCH (h:AuditorAuditHead {key: $key}) SET h.told = $told"


def tell_audit(
    tx: Transaction, telling: Telling, audit: Audit, findings: Sequence[Finding], waivers: Mapping[str, str]
) -> None:
    """Write the messages about an audit, in its transaction.

    Parameters
    ----------
    tx : Transaction
        It has written the head of the subject's audits.
    telling : Telling
        What is told to whom.
    audit : Audit
    findings : sequence of Finding
        Of the audit, before they were compared with those of another one.
    waivers : mapping of str to str
        Id of the waiver that is in force, by fingerprint.
    """
    record = tx.run(_TOLD, key=audit.key).single(strict=True)
    # a channel's name has no spaces
    told = dict(str(text).split(" ", 1) for text in record["told"])
    known: dict[str, tuple[RecordedFinding, ...]] = {}
    at = time_text(audit.at)
    for channel in telling.channels:
        last = told.get(channel)
        if last is not None and last not in known:
            known[last] = tuple(decode(RecordedFinding, found[0]) for found in tx.run(_FINDINGS, id=last))
        before = () if last is None else known[last]
        found, _ = compare_findings(audit.key, findings, before, waivers)
        write_messages(tx, telling.messages(channel, AuditNews(audit.id, at, audit.subject, found, before)), at)
    told |= dict.fromkeys(telling.channels, audit.id)
    tx.run(_SET_TOLD, key=audit.key, told=[f"{channel} {id}" for channel, id in sorted(told.items())]).consume()
