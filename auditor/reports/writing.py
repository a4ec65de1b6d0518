"""Put a page or a picture in its place, whole or not at all."""

from pathlib import Path

from auditor.core.staging import written_aside


def write_page(path: Path, html: str, *, force: bool = False) -> None:
    """Write a page, or a picture, aside, make sure that it is on the disk, and let it appear in one step.

    Parameters
    ----------
    path : Path
        Where it goes.
    html : str
        The page; or the SVG of the picture.
    force : bool, optional
        Whether an existing file may be replaced.

    Raises
    ------
    AlreadyExists, BadInput, NotFound
        If the place cannot be used.
    NotDelivered
        If the file system refuses.
    """
    with written_aside(path, force=force) as stream:
        stream.write(html.encode("utf-8"))
