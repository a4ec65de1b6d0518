"""Exports, as the registry of kinds knows them: releases that are audited like the subjects they were made from."""

from auditor.core.kinds import Contents, EntryKind, SubjectKind

EXPORT = SubjectKind(
    name="export",
    plural="exports",
    node="(s:AuditorExport {id: $name})",
    number="null",
    listed="""
  MATCH (x:AuditorExport) WHERE x.state IN ['published', 'recorded']
  RETURN x.id AS name, 'export:' + x.id AS key, x.state AS state, x.subject AS of,
         properties(x)['name'] AS title""",
    title="title",
    audited="state = 'published'",
    people="MATCH (x:AuditorExport) WHERE x.actor IS NOT NULL RETURN DISTINCT x.actor AS name",
    port="auditor.exports.auditing:ExportPort",
    rules="auditor.exports.remedies:RULES",
    remedies="auditor.exports.remedies:remedy",
    searched="auditor.exports.searching:search_exports",
    is_release=True,
    contents=Contents(
        keys={"Export": "id", "RelabellingPart": "id"},
        relations=(("Audit", "OF", "Export"),),
    ),
    approvals={"export": "auditor.exports.approving:ExportApprover"},
    entries={
        "export": EntryKind(
            "a protected file was made and verified, before it was published",
            "{who} made and verified {export:an export}[ “{name}”] of {what}",
        ),
        "key_forgotten": EntryKind(
            "the relabelling of an export was deleted", "{who} deleted the key of {export:an export} of {what}"
        ),
    },
    pages=("auditor.exports.pages:router",),
    api=("auditor.exports.api:router",),
    templates=("auditor.exports",),
    navigation=(("/exports", "Exports", "view"),),
    help=(
        (
            "/exports",
            "Exports",
            "Protected files that were made of networks and records. Each was read back and verified before it "
            "was released, and every audit verifies it again.",
            "web",
        ),
    ),
)
