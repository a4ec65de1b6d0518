"""Where the store keeps records: Parquet files beside its data."""

import contextlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from auditor.core.errors import NotDelivered

_FOLDER = "records"


def populations_beside(records: Path) -> Path:
    """Return where the store keeps the file of populations of records that it keeps, where it does.

    Examples
    --------
    >>> populations_beside(Path("records/0f.parquet")).name
    '0f.populations'
    """
    return records.with_suffix(".populations")


def delete_kept(records: Path) -> None:
    """Delete records that the store keeps, with their file of populations; what is not there is no error."""
    for path in (records, populations_beside(records)):
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)


@contextmanager
def new_file(home: Path) -> Iterator[Path]:
    """Give a path for a new file of records in the home of the local store; it is deleted where the block fails.

    Raises
    ------
    NotDelivered
        If there is no room for it.
    """
    folder = home / _FOLDER
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NotDelivered(
            f"{folder} cannot be made ({error.strerror}); make room there, or set AUDITOR_HOME"
        ) from error
    path = folder / f"{secrets.token_hex(16)}.parquet"
    try:
        yield path
    except BaseException:
        delete_kept(path)
        raise
