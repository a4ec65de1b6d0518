"""Paths as Spark is given them."""

from pathlib import Path


def spark_path(path: Path) -> str:
    """Return a path as one of this file system, whatever the default of Spark is.

    Examples
    --------
    >>> spark_path(Path("/data/ties.parquet"))
    'file:///data/ties.parquet'
    """
    return f"file://{path.absolute()}"
