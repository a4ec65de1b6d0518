"""A released network as files that a Neo4j imports while it is down: written aside, read back, compared, published."""

from __future__ import annotations

from pathlib import Path

from auditor.core.errors import BadInput
from auditor.core.progress import Progress
from auditor.core.staging import folder_written_aside
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.live.import_check import check_import_files
from auditor.subjects.networks.live.import_files import NODES, RELATIONSHIPS, import_options, write_import_files
from auditor.subjects.networks.live.projection import Projection

# the importer writes it where it is run
_REPORT = "import.report"
# the importer would read a group or options where one of these begins
_NOT_IN_NAMES = "({"


def deliver_files(
    released: LoadedNetwork,
    folder: Path,
    *,
    label: str,
    relationship: str,
    force: bool,
    progress: Progress,
) -> list[str]:
    """Write a network into a folder for the importer, and return the command that imports it there.

    Parameters
    ----------
    released : LoadedNetwork
        As it was read from the released file.
    folder : Path
        Appears when its files were read back and are the network.
    label, relationship : str
        Label of the vertices, with their published id as ``id``, and type of the ties.
    force : bool
        Whether a folder that holds an earlier delivery is replaced.
    progress : callable
        Told what is being done.

    Returns
    -------
    list of str
        Program and arguments, to be run in the folder.

    Raises
    ------
    AlreadyExists
        If the folder is there, and `force` was not said.
    BadInput
        If a name cannot be used, or the folder holds anything else.
    VerificationFailed
        If what was written is not the network: nothing is published then.
    NotDelivered
        If the file system refuses.
    """
    check_names(released, label, relationship)
    written = (NODES, RELATIONSHIPS)
    with folder_written_aside(folder, written, force=force, left_there=(_REPORT,)) as aside:
        progress("write", 0, 0)
        write_import_files(aside, released, label=label, relationship=relationship)
        progress("read back", 0, 0)
        check_import_files(aside / NODES, aside / RELATIONSHIPS, released, label=label, relationship=relationship)
    files = (f"--nodes={NODES}", f"--relationships={RELATIONSHIPS}")
    return ["neo4j-admin", "database", "import", "full", *files, *import_options(released, label=label), "neo4j"]


def check_names(released: LoadedNetwork, label: str, relationship: str) -> None:
    """Refuse a label, a type and attributes that the importer would not take as they are.

    Raises
    ------
    BadInput
    """
    # all are names, as those of a projection are
    Projection((label,), (relationship,), attributes=tuple(released.attributes))
    if "id" in released.attributes:
        raise BadInput("an attribute may not be called id, which is what a vertex is called; choose another name")
    if any(sign in name for name in released.attributes for sign in _NOT_IN_NAMES):
        raise BadInput(
            "the importer takes no attribute whose name holds ( or {; export it under another name, or deliver into a "
            "running database (--to)"
        )
