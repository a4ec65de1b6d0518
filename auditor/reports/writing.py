"""Put a page in its place, whole or not at all."""

from __future__ import annotations

from pathlib import Path

from auditor.exports.staging import check_destination, delivering, publish, staging_folder, sync

__all__ = ["write_page"]


def write_page(path: Path, html: str, *, force: bool = False) -> None:
    """Write a page aside, make sure it is on the disk, and let it appear in one step.

    Parameters
    ----------
    path : Path
        Where it goes.
    html : str
        The page.
    force : bool, optional
        Whether an existing file may be replaced.

    Raises
    ------
    AlreadyExists, BadInput, NotFound
        If the place cannot be used.
    NotDelivered
        If the file system refuses.
    """
    check_destination(path, force=force)
    with staging_folder(path) as folder:
        aside = folder / path.name
        with delivering(path):
            aside.write_text(html, encoding="utf-8")
            sync(aside)
        publish([aside], path.parent, force=force)
