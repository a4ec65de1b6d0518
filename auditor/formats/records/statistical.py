"""Files of Stata and SPSS, through pyreadstat."""

from pathlib import Path
from typing import Any

from auditor.core.extras import require
from auditor.formats.source import Source

STATISTICAL: dict[str, tuple[bytes, ...]] = {
    # from version 13 on, and the versions before it: release, byte order, file type
    "stata": (b"<stata_dta>", b"\x73\x01\x01", b"\x73\x02\x01", b"\x72\x01\x01", b"\x72\x02\x01", b"\x71\x02\x01"),
    "spss": (b"$FL2", b"$FL3"),
}
"""How files of each format begin."""

_SUFFIXES = {"stata": ".dta", "spss": ".sav"}


def read_statistical(source: Source, path: Path, format: str) -> Any:
    """Return the records of a file as a pyarrow table; value labels are left out, codes stay.

    Raises
    ------
    MissingExtra
        If pyreadstat is not installed.
    BadFile
        If the file is damaged.
    """
    require("statistics")
    import pyarrow as pa
    import pyreadstat

    read = pyreadstat.read_dta if format == "stata" else pyreadstat.read_sav
    with source.one_line_errors(f"cannot be read as a file of {format.capitalize()}; save it again, or as CSV"):
        try:
            columns, _ = read(str(path), apply_value_formats=False, user_missing=False, output_format="dict")
        except pyreadstat.ReadstatError as error:
            raise ValueError from error
        return pa.table({name: pa.array(values, from_pandas=True) for name, values in columns.items()})
