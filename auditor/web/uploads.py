"""Files that come with a request, as files: readers want a path, and a name tells the format."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from fastapi import UploadFile

from auditor.core.errors import AuditorError, BadInput


@contextmanager
def uploaded(upload: UploadFile) -> Iterator[Path]:
    """Keep an upload as a file of its name, in a folder of its own, as long as the block runs.

    Raises
    ------
    BadInput
        If its name is none: nothing of a path is taken over.
    AuditorError
        What the block raises, with the file by its name.
    """
    name = PurePosixPath((upload.filename or "").replace("\\", "/")).name
    if not name.strip(". ") or not name.isprintable() or len(name.encode()) > 200:
        raise BadInput("the file needs a name that ends like its format, such as table.csv")
    with tempfile.TemporaryDirectory(prefix="auditor-upload-") as folder:
        path = Path(folder) / name
        with path.open("xb") as stream:
            shutil.copyfileobj(upload.file, stream)
        try:
            yield path
        except AuditorError as error:
            # readers name the file by its path, which is nothing to whoever sent it
            raise type(error)(str(error).replace(f"{folder}/", "")) from error
