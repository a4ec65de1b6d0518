"""What a store holds beside large contents: the list that backups follow.

A backup names kinds of nodes (`Network`); in the database their labels have a prefix (`AuditorNetwork`), so that a
graph of the user's own in the same database is never taken for ours. What belongs to a kind of subject is listed in its
own description (:mod:`auditor.core.kinds`); here is what all share.
"""

from auditor.core.kinds import Contents, kinds

_SHARED = Contents(
    keys={
        "Entry": "seq",
        "Policy": "hash",
        "Audit": "id",
        "Finding": "id",
        "AuditHead": "key",
        "Waiver": "id",
        "AccessToken": "id",
        "Approval": "id",
        "ApprovalComment": "id",
        "Schedule": "id",
        "RemovedSchedule": "id",
        "Tick": "id",
        "Message": "id",
    },
    relations=(
        ("Audit", "UNDER", "Policy"),
        ("Audit", "FOUND", "Finding"),
        ("Approval", "UNDER", "Policy"),
        ("ApprovalComment", "ON", "Approval"),
        ("Schedule", "UNDER", "Policy"),
        ("RemovedSchedule", "UNDER", "Policy"),
        ("Tick", "OF", "Schedule"),
        ("Tick", "OF", "RemovedSchedule"),
    ),
    hidden=("Session", "Job", "KeptAnswer", "Worker"),
)


def _all() -> list[Contents]:
    return [_SHARED, *(kind.contents for kind in kinds())]


def node_keys() -> dict[str, str]:
    """Return the kinds of nodes, each with the property that tells its nodes apart (unique by a constraint)."""
    return {kind: key for contents in _all() for kind, key in contents.keys.items()}


def node_relations() -> tuple[tuple[str, str, str], ...]:
    """Return the relations between such nodes: from, type, to. None has properties."""
    return tuple(relation for contents in _all() for relation in contents.relations)


def hidden_kinds() -> tuple[str, ...]:
    """Return kinds that backups treat apart or leave out. `Store`, the store's own node, is the only other one."""
    return tuple(kind for contents in _all() for kind in contents.hidden)


def label_of(kind: str) -> str:
    """Return the label that nodes of a kind have in the database."""
    return f"Auditor{kind}"
