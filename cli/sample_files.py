"""The sample files that `auditor demo --files` writes."""

from importlib import resources
from pathlib import Path

from auditor.core.errors import AlreadyExists, BadInput, NotDelivered

SAMPLE_FILES = ("friends.csv", "survey.csv")
"""A small network, and a small contingency table with one row a cell."""


def write_sample_files(folder: Path) -> list[Path]:
    """Write the sample files into a folder and return their paths.

    Parameters
    ----------
    folder : Path
        A new or an empty folder; it is made where it is missing.

    Returns
    -------
    list of Path

    Raises
    ------
    BadInput
        It is not a folder.
    AlreadyExists
        The folder is not empty.
    NotDelivered
        A file cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is not a folder; name a new or an empty one")
    data = resources.files("auditor") / "data"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise AlreadyExists(f"the folder {folder} is not empty; name a new or an empty one")
        paths = [folder / name for name in SAMPLE_FILES]
        for path in paths:
            path.write_bytes((data / path.name).read_bytes())
    except OSError as error:
        raise NotDelivered(f"the sample files cannot be written to {folder} ({error.strerror})") from error
    return paths
