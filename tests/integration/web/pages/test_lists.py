"""The lists of networks, tables and records: found by name, sorted by each column, read in parts."""

from __future__ import annotations

import re

import pytest

from auditor.web.pages.shown import subject_list
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

FILES = {
    # what is added by each kind's form, from few to many
    "networks": [("b one", b"a,b\n1,2\n"), ("A two", b"a,b\n1,2\n2,3\n"), ("c three", b"a,b\n1,2\n2,3\n3,4\n4,5\n")],
    "tables": [(name, b"x,y,count\na,b,3\na,c,4\n" + b"d,b,5\n" * more) for name, more in (("b", 0), ("A", 1))],
    "microdata": [(name, b"age,zip\n" + b"31,a\n" * size) for name, size in (("b", 1), ("A", 2), ("c", 4))],
}
COLUMNS = {
    "networks": ("name", "vertices", "edges", "since"),
    "tables": ("name", "variables", "cells", "released", "since"),
    "microdata": ("name", "records", "columns", "since"),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_list_is_found_sorted_and_read_in_parts(
    site: ServedStore, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    officer = site.client("officer")
    names = [name for name, _ in FILES[kind]]
    for name, content in FILES[kind]:
        answer = officer.post(f"/api/v1/{kind}", data={"name": name}, files={"file": ("file.csv", content)})
        assert answer.status_code == 201, answer.text
    reader = site.logged_in("viewer")

    def shown(**asked: object) -> list[str]:
        text = reader.get(f"/{kind}", params={key: str(value) for key, value in asked.items()}).text
        return re.findall(rf'<th scope="row"><a href="/{kind}/[^"]*">([^<]*)</a>', text)

    own = shown()
    assert sorted(own) == sorted(names)
    # sizes and times ascend as they were added
    size = COLUMNS[kind][1] if kind != "tables" else "cells"
    for column in (size, "since"):
        assert (shown(sort=column), shown(sort=f"-{column}")) == (names, names[::-1])
    assert shown(sort="name") == sorted(names)
    for column in COLUMNS[kind]:
        assert sorted(shown(sort=column)) == sorted(names)
    assert shown(sort="secret") == own
    assert shown(text=" a", sort="name") == [name for name in sorted(names) if "a" in name.lower()]
    nothing = reader.get(f"/{kind}", params={"text": "nobody"}).text
    assert "Show all" in nothing
    assert 'id="text"' in nothing
    monkeypatch.setattr(subject_list, "_SHOWN", 1)
    assert [shown(sort="name", skip=skip) for skip in range(len(names))] == [[name] for name in sorted(names)]
    text = reader.get(f"/{kind}", params={"sort": "name", "skip": 1}).text
    assert f'href="/{kind}?sort=name" rel="prev"' in text
