"""Files of everyday life that hold no network are told apart from those that do, and no value of them is told."""

from __future__ import annotations

import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.formats.networks import read_network
from auditor.formats.networks.loaded import Layout, LoadedNetwork
from tests.support.friends import write_friends

RNG = random.Random(5)
Rows = list[tuple[object, ...]]


def numbered(*columns: list[object]) -> Rows:
    return list(zip(*columns, strict=True))


PEOPLE: list[object] = list(range(1000, 1200))
NO_NETWORKS: dict[str, tuple[str, Rows, str]] = {
    "ids and names": ("id,name", numbered(PEOPLE, [f"Zebulon {i}" for i in range(200)]), "one edge at most"),
    "ids and towns": ("id,town", numbered(PEOPLE, [RNG.choice("ABC") for _ in range(200)]), "column id is there once"),
    "ids and ages": (
        "id,age",
        numbered(list(range(1, 201)), [RNG.randint(18, 90) for _ in range(200)]),
        "column id is there once",
    ),
    "titles and numbers": (
        "title;isbn",
        numbered([f"Book {i % 9}" for i in range(60)], [9_780_000 + i for i in range(60)]),
        "column isbn is there once",
    ),
    "a survey": (
        "person,illness,age",
        [(i % 4, RNG.choice(["flu", "none"]), i) for i in range(200)],
        "rows hold",
    ),
    "a contingency table": (
        "age,smoking,count",
        [(age, smoking, 7) for age in range(20) for smoking in ("yes", "no")],
        "no value in common",
    ),
    "a matrix": (
        "",
        [tuple(RNG.randint(0, 1) for _ in range(30)) for _ in range(30)],
        "rows hold 1 different edge",
    ),
    "places": (
        "lat,lon",
        [(round(RNG.uniform(40, 50), 4), round(RNG.uniform(5, 15), 4)) for _ in range(100)],
        "column lat are fractions or dates",
    ),
    "a time series": (
        "day,visits",
        [(f"2024-{m:02}-{d:02}", RNG.randint(0, 9)) for m in range(1, 5) for d in range(1, 25)],
        "column day are fractions or dates",
    ),
    "group members": (
        "person,group",
        [(f"p{i % 50}", f"g{RNG.randint(1, 9)}") for i in range(120)],
        "no value in common",
    ),
}


def written(path: Path, header: str, rows: Rows) -> LoadedNetwork:
    delimiter = ";" if ";" in header else ","
    lines = [header, *(delimiter.join(map(str, row)) for row in rows)]
    path.write_text("\n".join(filter(None, lines)) + "\n")
    return read_network(path)


@pytest.mark.parametrize("name", NO_NETWORKS)
def test_a_file_that_is_no_network_is_doubted(name: str, tmp_path: Path) -> None:
    header, rows, sign = NO_NETWORKS[name]
    loaded = written(tmp_path / "t.csv", header, rows)
    text = "; ".join(loaded.notes.doubts)
    assert sign in text
    assert "Zebulon" not in text
    # the same by way of Parquet
    columns = {str(number): [str(row[number]) for row in rows] for number in range(2)}
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    assert len(read_network(tmp_path / "t.parquet").notes.doubts) == len(loaded.notes.doubts)


def test_networks_are_not_doubted(tmp_path: Path) -> None:
    assert read_network(write_friends(tmp_path / "friends.csv")).notes.doubts == ()
    sample = Path(__file__).parents[5] / "auditor" / "data" / "ca-GrQc.csv.gz"
    assert read_network(sample).notes.doubts == ()
    # a few people tell nothing
    assert written(tmp_path / "few.csv", "source,target", [("a", "b"), ("c", "d")]).notes.doubts == ()
    # messages repeat edges, between people of both columns
    mail: Rows = [(f"u{RNG.randint(0, 30)}", f"u{RNG.randint(31, 40) % 35}") for _ in range(2000)]
    assert written(tmp_path / "mail.csv", "from,to", mail).notes.doubts == ()


def test_a_format_that_says_what_an_edge_is_is_not_doubted(tmp_path: Path) -> None:
    path = tmp_path / "pairs.json"
    nodes = ",".join(f'{{"id": "v{i}"}}' for i in range(8))
    links = ",".join(f'{{"source": "v{i}", "target": "v{i + 1}"}}' for i in range(0, 8, 2))
    path.write_text(f'{{"directed": false, "multigraph": false, "nodes": [{nodes}], "links": [{links}]}}')
    notes = read_network(path).notes
    assert (notes.layout, notes.doubts) == (None, ())


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        ("id;weight;source;target\n1;3;a;b\n", Layout(("source", "target"), ";", True)),
        ("a\tb\nb\tc\n", Layout(("column 1", "column 2"), "\t", False)),
        ("1 2\n2 3\n", Layout(("column 1", "column 2"), " ", False)),
    ],
)
def test_how_a_table_was_understood_is_told(text: str, layout: Layout, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert read_network(path).notes.layout == layout
    # a vertex file beside it changes nothing about that
    if "a" in text and layout.header:
        (tmp_path / "t.vertices.csv").write_text("id\na\nb\n")
        assert read_network(path).notes.layout == layout
