"""What all jobs that make an export share: where its file goes, and what is told of it."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from auditor.core.errors import Refused
from auditor.web.jobs.kinds import JobPorts


def check_least(k: int, least: int, key: str) -> None:
    """Refuse a k that is less than the policy of the service requires.

    Raises
    ------
    Refused
        Naming the `key` of the policy.
    """
    if k < least:
        raise Refused(f"the policy of this service requires k = {least} ({key}); k = {k} is less")


@contextmanager
def export_folder(ports: JobPorts) -> Iterator[Path]:
    """Give a new folder for the files of an export; an empty one is gone where the block fails.

    What a person called its subject may be no name of a file, so the name of an export is that of its folder.
    """
    folder = ports.exports / str(uuid.uuid4())
    folder.mkdir(parents=True, mode=0o700)
    try:
        yield folder
    except BaseException:
        # what is in it is for the next export to clean up
        with suppress(OSError):
            folder.rmdir()
        raise


def export_result(k: int, published: Any) -> dict[str, Any]:
    """Return what a job tells of a :class:`~auditor.exports.publishing.Published`."""
    assert published is not None
    result = {"export": published.manifest.export, "k": k, "approval": published.approval}
    return result if published.agreed_by is None else {**result, "agreed_by": published.agreed_by}
