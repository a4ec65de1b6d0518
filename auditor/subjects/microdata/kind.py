"""Files of records, as the registry of kinds knows them."""

from auditor.core.kinds import Contents, EntryKind, FirstSteps, SubjectKind

MICRODATA = SubjectKind(
    name="microdata",
    plural="microdata",
    node="(s:AuditorMicrodata {name: $name})",
    number="s.number",
    about="(s:AuditorMicrodata {name: $name})",
    listed="MATCH (n:AuditorMicrodata) RETURN n.name AS name, 'microdata:' + n.name AS key, null AS state, null AS of",
    port="auditor.subjects.microdata.port:MicrodataPort",
    rules="auditor.subjects.microdata.report.remedies:RULES",
    remedies="auditor.subjects.microdata.report.remedies:remedy",
    policy="auditor.subjects.microdata.policy:MicrodataPolicy",
    commands=("cli.microdata", "Files of records: load, audit, protect."),
    files="auditor.subjects.microdata.file_audit:audit_file",
    report="cli.report.records:RecordsReporter",
    guide="cli.start.records:RecordsGuide",
    contents=Contents(
        keys={"Microdata": "number"},
        relations=(("Entry", "ABOUT", "Microdata"), ("Audit", "OF", "Microdata"), ("Export", "FROM", "Microdata")),
    ),
    outside="auditor.subjects.microdata.backed_up:RecordFiles",
    entries={
        "microdata_added": EntryKind("a file of records was stored", "{who} stored {what}[ from {source}]"),
        "microdata_removed": EntryKind(
            "a file of records was removed, with the keys of its exports",
            "{who} removed {what} with the keys of its exports",
        ),
        "records_shown": EntryKind(
            "values that single records out were viewed", "{who} viewed values of {what} that single records out"
        ),
    },
    jobs={
        "microaggregate": "auditor.subjects.microdata.jobs:MICROAGGREGATE",
        "generalize": "auditor.subjects.microdata.jobs:GENERALIZE",
    },
    pages=("auditor.subjects.microdata.pages:router",),
    last_pages=("auditor.subjects.microdata.pages:last",),
    api=("auditor.subjects.microdata.api:router",),
    templates=("auditor.subjects.microdata",),
    navigation=(("/microdata", "Microdata", "view"),),
    help=(
        (
            "/microdata",
            "Records",
            "Files with one record a person. An audit counts who can be singled out by their quasi-identifiers; "
            "an export groups records so that nobody is.",
            "microdata",
        ),
    ),
    first=FirstSteps(
        "Records",
        "Each line is one person with what is known of them.",
        "age,region,income\n41,North,2870\n29,South,1930",
        (
            (
                "Add the file, and say what somebody may know of a person.",
                "auditor microdata add people people.csv --quasi-identifier age,region",
            ),
            ("Audit it: who is alone with their combination?", "auditor microdata audit people"),
            (
                "Make a protected export. It is verified after writing.",
                "auditor microdata generalize people --k 5 --out public.csv",
            ),
        ),
    ),
)
