"""A released network as files for an import: all of it, whatever it is called, and only what was compared."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from auditor.core.errors import AlreadyExists, BadInput, NotDelivered, VerificationFailed
from auditor.core.progress import silent
from auditor.formats.networks.labels import canonical_labels, text_array
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.subjects.networks.live import importing
from auditor.subjects.networks.live.importing import deliver_files
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.strategies import graphs

FILES = ["nodes.csv", "relationships.csv"]
FIELD = re.compile(r'"((?:[^"]|"")*)"([,\n])')
odd = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0") | st.sampled_from('",;\\\n\r\t{}:()'))
names = st.text(st.sampled_from("ab,:;\"'\\[]`é) "), min_size=1, max_size=5).filter(lambda name: name != "id")


def network(sex: str = "f", edges: tuple[tuple[int, int], ...] = ((0, 1), (1, 2)), last: int = 2) -> LoadedNetwork:
    attributes = {"sex": text_array(["m", "", sex])}
    return LoadedNetwork(SimpleGraph.from_edges(edges, n=3), np.array([0, 1, last]), attributes)


def delivered(folder: Path, content: LoadedNetwork, *, force: bool = False, **names: str) -> list[str]:
    options = {"label": "Released", "relationship": "TIE", **names}
    return deliver_files(content, folder, force=force, progress=silent, **options)


def rows(path: Path) -> list[list[str]]:
    """Return the fields of a file that has every field in quotation marks, and nothing between them."""
    text, place = path.read_bytes().decode(), 0
    found: list[list[str]] = [[]]
    for field in FIELD.finditer(text):
        assert field.start() == place
        found[-1].append(field[1].replace('""', '"'))
        if field[2] == "\n":
            found.append([])
        place = field.end()
    assert (place, found.pop()) == (len(text), [])
    return found


@settings(deadline=None, max_examples=30)
@given(st.data(), graphs(min_n=1, max_n=5), names, names)
def test_the_files_hold_the_network_whatever_it_is_called(
    data: st.DataObject, graph: SimpleGraph, label: str, relationship: str
) -> None:
    column = st.lists(odd, min_size=graph.n, max_size=graph.n)
    attributes = data.draw(st.dictionaries(names, column, max_size=2))
    ids = data.draw(st.lists(odd.filter(bool) | st.just("7"), min_size=graph.n, max_size=graph.n, unique=True))
    content = LoadedNetwork(graph, canonical_labels(ids), {name: text_array(of) for name, of in attributes.items()})
    with tempfile.TemporaryDirectory() as place:
        command = delivered(Path(place, "out"), content, label=label, relationship=relationship)
        nodes, ties = (rows(Path(place, "out", name)) for name in FILES)
    assert nodes[0] == ["id:ID", *(f"{name}:string" for name in attributes), ":LABEL"]
    assert nodes[1:] == [[ids[v], *(of[v] for of in attributes.values()), label] for v in range(graph.n)]
    assert ties[0] == [":START_ID", ":END_ID", ":TYPE"]
    assert ties[1:] == [[ids[low], ids[high], relationship] for low, high in graph.edges.tolist()]
    assert ("--id-type=integer" in command) == (content.labels.dtype == np.int64)
    assert ("--multiline-fields=true" in command) == any(
        set(text) & set("\n\r") for text in [*ids, *(text for of in attributes.values() for text in of)]
    )
    assert ("--array-delimiter=U+001F" in command) == (";" in label)


@pytest.mark.parametrize(
    "write_wrong",
    [
        lambda folder, **names: _original(folder, network(sex="m"), **names),
        lambda folder, **names: _original(folder, network(last=3), **names),
        lambda folder, **names: _original(folder, network(edges=((0, 1), (0, 2))), **names),
        lambda folder, **names: _original(folder, network(edges=((0, 1),)), **names),
        lambda folder, **names: _original(folder, network(edges=((0, 1), (0, 2), (1, 2))), **names),
        lambda folder, **names: _original(folder, network(), **{**names, "label": "Other"}),
        lambda folder, **names: _original(folder, network(), **{**names, "relationship": "Other"}),
        lambda folder, **names: _damaged(folder, "nodes.csv", b'"sex:string"', b'"sex:int"', names),
        lambda folder, **names: _damaged(folder, "nodes.csv", b'"f"', b'"f', names),
        lambda folder, **names: _damaged(folder, "nodes.csv", b'"f"', b'"\xff"', names),
        lambda folder, **names: _damaged(folder, "relationships.csv", b'"1","2","TIE"\n', b"", names),
    ],
)
def test_nothing_appears_that_is_not_the_network(
    write_wrong: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "write_import_files", lambda folder, _, **names: write_wrong(folder, **names))
    with pytest.raises(VerificationFailed, match="nothing was published"):
        delivered(tmp_path / "out", network())
    assert list(tmp_path.iterdir()) == []


_original = importing.write_import_files


def _damaged(folder: Path, name: str, old: bytes, new: bytes, names: dict[str, str]) -> None:
    _original(folder, network(), **names)  # type: ignore[arg-type]
    content = (folder / name).read_bytes()
    assert old in content
    (folder / name).write_bytes(content.replace(old, new))


def test_a_folder_is_replaced_only_where_that_is_said_and_it_holds_an_import(tmp_path: Path) -> None:
    out = tmp_path / "out"
    delivered(out, network())
    with pytest.raises(AlreadyExists, match="--force"):
        delivered(out, network())
    (out / "import.report").touch()
    delivered(out, network(edges=()), force=True)
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert len(rows(out / "relationships.csv")) == 1
    (out / "thesis.txt").touch()
    with pytest.raises(BadInput, match="other files"):
        delivered(out, network(), force=True)
    assert len(list(out.iterdir())) == 3
    with pytest.raises(BadInput, match="no folder"):
        delivered(out / "thesis.txt", network(), force=True)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_folder_that_appears_meanwhile_is_left_alone(tmp_path: Path) -> None:
    def appears(phase: str, done: int, of: int) -> None:
        (tmp_path / "out").mkdir(exist_ok=True)

    with pytest.raises(NotDelivered, match="appeared while this ran"):
        deliver_files(network(), tmp_path / "out", label="A", relationship="B", force=False, progress=appears)
    assert list((tmp_path / "out").iterdir()) == []


@pytest.mark.parametrize(
    ("attribute", "names"),
    [("id", {}), ("age (years)", {}), ("{x", {}), ("sex", {"label": ""}), ("sex", {"relationship": "A\nB"})],
)
def test_names_that_the_importer_does_not_take_are_refused(
    attribute: str, names: dict[str, str], tmp_path: Path
) -> None:
    content = LoadedNetwork(network().graph, np.arange(3), {attribute: text_array(["a", "b", "c"])})
    with pytest.raises(BadInput, match=r"name|character"):
        delivered(tmp_path / "out", content, **names)
