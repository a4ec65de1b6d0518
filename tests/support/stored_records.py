"""Files of records in a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from auditor.config import EdgeTableSettings
from auditor.formats.records import Roles, open_records
from auditor.formats.records.packing import pack_records
from auditor.store import Store
from auditor.subjects.microdata.keeping import new_file
from auditor.subjects.microdata.repository import Microdata, MicrodataInfo

TEXT = "name,age,sex,income\nAda,41,f,3000\nBob,35,m,2000\nCy,41,f,2500\nDi,52,f,1900\nEd,35,m,1800\n"
ROLES = Roles(identifiers=("name",), quasi_identifiers=("age", "sex"), sensitive=("income",))


def add_records(
    store: Store, name: str, home: Path, text: str = TEXT, roles: Roles = ROLES, follows: str | None = None
) -> MicrodataInfo:
    """Store records as the command does: a copy in the home of the store."""
    home.mkdir(exist_ok=True)
    file = home / "records.csv"
    file.write_text(text, encoding="utf-8")
    with open_records(file, EdgeTableSettings(threads=1)) as opened, new_file(home) as path:
        packed = pack_records(opened, path)
        return Microdata(store).add(name, packed, roles, source=file.name, actor="ada", follows=follows)


def records_of(info: MicrodataInfo) -> dict[str, Any]:
    """What is known of records, and the records themselves."""
    return {"columns": info.columns, "roles": info.roles, "records": pq.read_table(info.path).to_pydict()}
