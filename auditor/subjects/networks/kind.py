"""Networks, as the registry of kinds knows them."""

from auditor.core.kinds import Contents, EntryKind, FirstSteps, SubjectKind

NETWORK = SubjectKind(
    name="network",
    plural="networks",
    node="(s:AuditorNetwork {name: $name})",
    number="s.id",
    about="(s:AuditorNetwork {name: $name})",
    listed="MATCH (n:AuditorNetwork) RETURN n.name AS name, 'network:' + n.name AS key, null AS state, null AS of",
    port="auditor.subjects.networks.port:NetworkPort",
    rules="auditor.subjects.networks.remedies:RULES",
    remedies="auditor.subjects.networks.remedies:remedy",
    policy="auditor.subjects.networks.policy:NetworkPolicy",
    commands=("cli.network", "Networks: load, audit, anonymize, compare."),
    files="auditor.subjects.networks.file_audit:audit_file",
    report="cli.report.networks:NetworkReporter",
    guide="cli.start.networks:NetworkGuide",
    contents=Contents(
        keys={"Network": "id"},
        relations=(("Entry", "ABOUT", "Network"), ("Audit", "OF", "Network"), ("Export", "FROM", "Network")),
        hidden=("Vertex", "LoadingNetwork", "RemovedNetwork"),
    ),
    large="auditor.subjects.networks.backed_up:NetworkContent",
    tidied="auditor.subjects.networks.removal:delete_leftovers",
    protecting="auditor.subjects.networks.exports.scheduled:export_on_schedule",
    entries={
        "network_added": EntryKind("a network was stored", "{who} stored {what}[ from {source}]"),
        "network_removed": EntryKind(
            "a network was removed, with the keys of its exports", "{who} removed {what} with the keys of its exports"
        ),
        "labels_shown": EntryKind(
            "the exposed vertices of an audit were viewed",
            "{who} viewed the exposed vertices in {audit:an audit} of {what}",
        ),
        "degrees_shown": EntryKind("the degrees of a network were viewed", "{who} viewed the degrees of {what}"),
        "picture_shown": EntryKind(
            "a sample of a network before and after an export was viewed",
            "{who} viewed a sample of {what} before and after {export:an export}",
        ),
    },
    jobs={"anonymize": "auditor.subjects.networks.jobs:ANONYMIZE"},
    pages=("auditor.subjects.networks.pages.network:router", "auditor.subjects.networks.pages.figures:router"),
    last_pages=("auditor.subjects.networks.pages.network:last",),
    api=("auditor.subjects.networks.api.networks:router",),
    templates=("auditor.subjects.networks.pages", "auditor.subjects.networks.report", "auditor.reports"),
    navigation=(("/networks", "Networks", "view"),),
    help=(
        (
            "/networks",
            "Networks",
            "Networks of people and ties. Audit one to see whether a number of ties singles people out, and start"
            " a protected export that gives nobody a rare one.",
            "network-audit",
        ),
    ),
    first=FirstSteps(
        "A network",
        "Each line is a tie between two people.",
        "source,target\nada,ben\nada,cem",
        (
            ("Add the file.", "auditor network add friends friends.csv"),
            ("Audit it: whom does the number of ties single out?", "auditor network audit friends"),
            (
                "Make a protected export. It is verified after writing.",
                "auditor network anonymize friends --k 5 --out public.csv",
            ),
        ),
    ),
)
