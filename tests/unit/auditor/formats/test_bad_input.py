"""Files that hold no network: one line that says what, where and what to do; never their content, never a traceback."""

# a table reads best with one case a line
# ruff: noqa: E501

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from auditor.core.errors import BadFile, BadInput, NotFound
from auditor.formats import source as source_module
from auditor.formats.networks import read_network
from tests.support.refusals import SECRET, refusal

TEXTS: list[tuple[str, str, str, bytes]] = [
    # name, file, part of the message, content
    ("empty", "x.csv", "is empty", b""),
    ("blank lines", "x.csv", "only blank lines", b"\n\n \n"),
    ("header alone", "x.csv", "no vertex and no edge", b"source,target\n"),
    ("comments alone", "x.txt", "no vertex and no edge", b"# nothing\n"),
    ("one column", "x.csv", "line 1: the line has only one column|only one column", b"hannelore\nb\nc\n"),
    ("one column below a header", "x.csv", "only one column, .* put a comma, semicolon, tab", b"source\nhannelore\nb\n"),
    ("missing column later", "x.csv", "line 3: only one column", b"source,target\na,hannelore\nb\n"),
    ("too many columns later", "x.csv", "line 4: 3 columns", b"source,target\na,b\na,c\nhannelore,b,c\n"),
    ("line after quoted line ends", "x.csv", "line 5: 3 columns", b'source,target\n"a\nx",b\na,c\nhannelore,b,c\n'),
    ("ragged blanks", "x.txt", "line 4: 3 columns", b"# head\n1 2\n2 3\n3 4 hannelore\n"),
    ("empty id", "x.csv", "line 3: an id is missing", b"source,target\nhannelore,b\n,c\n"),
    ("empty id in quotes", "x.csv", "line 2: an id is missing", b'source,target\nhannelore,""\nb,c\n'),
    ("NaN among numbers", "x.csv", "line 4: an id is missing", b"source,target\n1,2\n2,3\nnan,3\n"),
    ("None among numbers in blanks", "x.txt", "line 3: an id is missing", b"1 2\n2 3\n3 None\n"),
    ("UTF-16", "x.csv", "UTF-16", "source,target\nhannelore,b\n".encode("utf-16")),
    ("UTF-16 GraphML", "x.graphml", "UTF-16", "<graphml/>".encode("utf-16")),
    ("UTF-16 JSON", "x.json", "UTF-16", "{}".encode("utf-16")),
    ("Latin-1", "x.csv", "line 3: the text is not UTF-8", "source,target\na,b\nhannelore,ü\n".encode("latin-1")),
    ("Latin-1 header", "x.csv", "line 1: the text is not UTF-8", "source,target,größe\na,b,1\nc,d,2\n".encode("latin-1")),
    ("Latin-1 GML", "x.gml", "line 2: the text is not UTF-8", 'graph [\n node [ id 1 label "ü" ] ]'.encode("latin-1")),
    ("NUL", "x.csv", "line 3: the file holds a NUL", b"source,target\na,b\nhannelore,\0\n"),
    ("NUL in JSON", "x.json", "holds a NUL", b'{"nodes":[{"id":"\\u0000hannelore"}],"edges":[]}'),
    ("half a character in JSON", "x.json", "broken character", b'{"nodes":[{"id":"\\ud800hannelore"}],"edges":[]}'),
    ("endless line", "x.csv", "line 2: the line has more than a megabyte", b"source,target\n" + b"hannelore" * 1_200_000),
    ("endless line in blanks", "x.txt", "more than a megabyte", b"1 2\n" + b"7" * 10_000_000 + b" 3\n"),
    ("matrix", "x.csv", "as a matrix", b",".join([b"1"] * 20_000) + b"\n" + b",".join([b"1"] * 20_000) + b"\n"),
    ("open quotation mark", "x.csv", "line 3: a quotation mark is never closed", b'source,target\na,b\nb,"hannelore\nb,c\nd,e\n'),
    ("open quotation mark in the first field", "x.csv", "line 4: a quotation mark is never closed", b'source,target\na,b\nc,d\n"hannelore,b\nc,e\n'),
    ("open quotation mark in the last line", "x.csv", "line 3: a quotation mark is never closed", b'source,target\na,b\n"hannelore,b'),
    ("open quotation mark above the last column", "x.csv", "line 3: a quotation mark is never closed", b'source,target,w\na,b,1\nc,"hannelore,1\nd,e,1\n'),
    ("junk as csv", "x.csv", "x.csv", bytes(range(1, 256)) * 8),
    ("junk as npz", "x.npz", "NumPy archive", bytes(range(256)) * 8),
    ("junk as parquet", "x.parquet", "check the file and its format .the end of its name, or", bytes(range(256)) * 8),
    ("junk of no kind", "x.unknown", "let its name end like its format, or give that", b"\x7fELF" + bytes(range(256)) * 8),
    ("XML junk", "x.graphml", "line 1: the file is not well-formed", b"<graphml><hannelore"),
    ("other XML", "x.graphml", "not GraphML", b"<html><body>hannelore</body></html>"),
    ("GraphML without graph", "x.graphml", "no <graph>", b"<graphml></graphml>"),
    (
        "GraphML with entities",
        "x.graphml",
        "document type definition|entities",
        b'<!DOCTYPE g [<!ENTITY a "hannelore"><!ENTITY b "&a;&a;&a;&a;">]><graphml><graph><node id="&b;"/></graph></graphml>',
    ),
    (
        "GraphML that reads other files",
        "x.graphml",
        "document type definition|entities",
        b'<!DOCTYPE g [<!ENTITY a SYSTEM "file:///etc/passwd">]><graphml><graph><node id="x">&a;</node></graph></graphml>',
    ),
    (
        "GraphML with an unknown vertex",
        "x.graphml",
        "line 3: an edge names a vertex",
        b'<graphml><graph>\n<node id="a"/>\n<edge source="a" target="hannelore"/>\n</graph></graphml>',
    ),
    (
        "GraphML with a repeated vertex",
        "x.graphml",
        "line 3: the file declares a vertex id twice",
        b'<graphml><graph><node id="a"/>\n<node id="hannelore"/>\n<node id="hannelore"/></graph></graphml>',
    ),
    (
        "GraphML with nested graphs",
        "x.graphml",
        "nested",
        b'<graphml><graph><node id="a"><graph><node id="hannelore"/></graph></node></graph></graphml>',
    ),
    ("GraphML with a hyperedge", "x.graphml", "hyperedge", b'<graphml><graph><hyperedge id="a"/></graph></graphml>'),
    ("GraphML without vertices", "x.graphml", "no vertex", b"<graphml><graph></graph></graphml>"),
    ("GML junk", "x.gml", "line 2: the text is not GML", b"graph [\n ; hannelore ]"),
    ("GML cut off", "x.gml", "ends too early", b'graph [\n node [ id 1 label "hannelore" ]\n'),
    ("GML without id", "x.gml", "line 2: a node without an id", b'graph [\n node [ label "hannelore" ] ]'),
    ("GML with an unknown vertex", "x.gml", "line 2: an edge names", b"graph [ node [ id 1 ]\n edge [ source 1 target 2 ] ]"),
    ("GML with a repeated vertex", "x.gml", "line 3: the file declares a vertex id twice", b"graph [ node [ id 4711 ]\n node [ id 1 ]\n node [ id 4711 ] ]"),
    ("GML nested deeply", "x.gml", "nested too deeply", b"a [ " * 500),
    ("no Pajek", "x.net", "does not begin with", b"hannelore\n*Vertices 3\n"),
    ("Pajek matrix", "x.net", "line 3: a section of this kind", b'*Vertices 1\n1 "hannelore"\n*Matrix\n0\n'),
    ("Pajek vertex out of range", "x.net", "line 3: the line must hold the number", b'*Vertices 1\n1 "a"\n2 "hannelore"\n'),
    ("Pajek edge out of range", "x.net", "line 3: an edge", b'*Vertices 1\n1 "hannelore"\n*Edges\n1 2\n'),
    ("Pajek edge in words", "x.net", "line 5: the line holds something", b'*Vertices 2\n1 "a"\n2 "b"\n*Edges\nhannelore 2\n'),
    ("Pajek edge with a fraction", "x.net", "line 4: a vertex number is not an integer", b"*Vertices 2\n*Edges\n1 2\n1.5 2\n"),
    ("Pajek half an edge", "x.net", "line 3: fewer than 2", b"*Vertices 2\n*Edges\n1\n"),
    ("Pajek that claims too much", "x.net", "line 1: the file claims a number", b"*Vertices 99999999999\n"),
    ("no matrix", "x.mtx", "line 1: the file does not begin", b"hannelore\n1 1 1\n"),
    ("dense matrix", "x.mtx", "line 1: the file is not a coordinate", b"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"),
    ("wide matrix", "x.mtx", "line 2: the matrix is not square", b"%%MatrixMarket matrix coordinate pattern general\n2 3 0\n"),
    ("matrix with missing entries", "x.mtx", "line 3: .* entries", b"%%MatrixMarket matrix coordinate pattern symmetric\n%c\n3 3 2\n2 1\n"),
    ("matrix entry outside", "x.mtx", "outside the matrix", b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n4 1\n"),
    ("matrix entry in words", "x.mtx", "line 4: the line holds something", b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\nhannelore 1\n"),
    ("matrix that claims too much", "x.mtx", "line 2: the file claims", b"%%MatrixMarket matrix coordinate pattern symmetric\n99999999999 99999999999 1\n2 1\n"),
    ("METIS without header", "x.graph", "line 1: the first line", b"hannelore\n"),
    ("METIS with other vertices", "x.graph", "line 2: .*number of vertices", b"% c\n5 1\n2\n1\n"),
    ("METIS with more lines", "x.graph", "line 1: .*number of vertices", b"1 1\n\n1\n"),
    ("METIS with other edges", "x.graph", "line 1: .*number of edges", b"2 3\n2\n1\n"),
    ("METIS neighbour out of range", "x.graph", "line 4: a neighbour", b"2 1\n2\n%c\n7\n"),
    ("METIS one-sided edge", "x.graph", "line 2: an edge stands at one", b"3 1\n2\n3\n\n"),
    ("METIS in words", "x.graph", "line 3: the line holds something", b"2 1\n2\nhannelore\n"),
    ("METIS without a weight", "x.graph", "line 3: a weight", b"2 1 1\n2 7\n1\n"),
    ("METIS that claims too much", "x.graph", "line 1: the file claims", b"99999999999 0\n"),
    ("SNAP that claims too much", "x.txt", "claims a number", b"# Nodes: 99999999999\n1 2\n"),
    ("JSON cut off", "x.json", "line 2: the file is not valid JSON", b'{"nodes":\n[{"id":"hannelore"'),
    ("JSON list", "x.json", "must be an object", b'["hannelore"]'),
    ("JSON without edges", "x.json", "no list 'edges'", b'{"nodes":[{"id":"hannelore"}]}'),
    ("JSON with both", "x.json", "both", b'{"nodes":[],"edges":[],"links":[]}'),
    ("JSON without id", "x.json", "'id' is missing", b'{"nodes":[{"name":"hannelore"}],"edges":[]}'),
    ("JSON with a list as id", "x.json", "'id' is missing or", b'{"nodes":[{"id":["hannelore"]}],"edges":[]}'),
    ("JSON unknown vertex", "x.json", "an edge names", b'{"nodes":[{"id":"a"}],"edges":[{"source":"a","target":"hannelore"}]}'),
    ("JSON same id twice", "x.json", "id twice", b'{"nodes":[{"id":1},{"id":"1"}],"edges":[]}'),
    ("JSON edge as list", "x.json", "an edge is not an object", b'{"nodes":[{"id":"a"}],"edges":[["a","hannelore"]]}'),
    ("JSON nested deeply", "x.json", "nested too deeply", b"[" * 200_000),
]  # fmt: skip


@pytest.mark.parametrize(("file", "message", "content"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_a_file_that_holds_no_network_is_refused(file: str, message: str, content: bytes, tmp_path: Path) -> None:
    import re

    path = tmp_path / file
    path.write_bytes(content)
    assert re.search(message, refusal(path))


class TestFilesThatCannotBeOpened:
    def test_missing(self, tmp_path: Path) -> None:
        assert "no such file" in refusal(tmp_path / "x.csv", NotFound)
        (tmp_path / "file").write_text("1,2\n")
        assert "no such file" in refusal(tmp_path / "file" / "x.csv", NotFound)

    def test_broken_link(self, tmp_path: Path) -> None:
        (tmp_path / "x.csv").symlink_to(tmp_path / "nowhere")
        assert "no such file" in refusal(tmp_path / "x.csv", NotFound)

    def test_link_that_leads_to_a_file_is_followed(self, tmp_path: Path) -> None:
        (tmp_path / "real.csv").write_text("1,2\n")
        (tmp_path / "x.csv").symlink_to(tmp_path / "real.csv")
        assert read_network(tmp_path / "x.csv").graph.m == 1

    def test_directory(self, tmp_path: Path) -> None:
        (tmp_path / "x.csv").mkdir()
        assert "is a directory" in refusal(tmp_path / "x.csv")

    def test_pipe_is_refused_without_waiting(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "x.csv")
        assert "pipe" in refusal(tmp_path / "x.csv")

    def test_device(self) -> None:
        assert "device" in refusal(Path("/dev/null"))

    @pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
    def test_no_permission(self, tmp_path: Path) -> None:
        (tmp_path / "x.csv").write_text("1,2\n")
        (tmp_path / "x.csv").chmod(0)
        assert "permission" in refusal(tmp_path / "x.csv")

    def test_no_permission_whoever_runs_this(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(source_module.os, "open", refuse)
        assert "permission denied" in refusal(tmp_path / "x.csv")

    def test_name_with_line_ends_stays_on_one_line(self, tmp_path: Path) -> None:
        with pytest.raises(NotFound) as caught:
            read_network(tmp_path / "a\nb.csv")
        assert "a\\nb.csv" in str(caught.value)

    def test_name_that_no_system_knows(self) -> None:
        with pytest.raises(BadFile, match="valid path"):
            read_network("a\0b.csv")
        with pytest.raises(BadFile, match="cannot be opened"):
            read_network("x" * 5000)


@pytest.mark.parametrize(
    ("reason", "line", "said"),
    [
        ("holds no graph", None, "x.csv holds no graph"),
        ("holds no graph", 3, "x.csv, line 3: the file holds no graph"),
        ("an id is missing", None, "x.csv: an id is missing"),
        ("an id is missing", 3, "x.csv, line 3: an id is missing"),
    ],
)
def test_a_message_has_its_subject(tmp_path: Path, reason: str, line: int | None, said: str) -> None:
    (tmp_path / "x.csv").write_text("1,2\n")
    assert str(source_module.Source(tmp_path / "x.csv").bad(reason, line)) == f"{tmp_path}/{said}"


class TestVertexFile:
    def refused(self, folder: Path, vertices: str, edges: str = "source,target\na,b\n") -> str:
        (folder / "x.csv").write_text(edges)
        (folder / "x.vertices.csv").write_text(vertices)
        with pytest.raises(BadFile) as caught:
            read_network(folder / "x.csv")
        assert "\n" not in str(caught.value)
        assert SECRET not in str(caught.value)
        return str(caught.value)

    def test_faults(self, tmp_path: Path) -> None:
        unlisted = "an edge names a vertex that x.vertices.csv does not list"
        assert f"x.csv, line 2: {unlisted}" in self.refused(tmp_path, "id\na\nhannelore\n")
        edges = "# who knows whom\na,b\nb,a\na,hannelore\nhannelore,b\n"
        assert f"x.csv, line 4: {unlisted}" in self.refused(tmp_path, "id\na\nb\n", edges)
        twice = "a vertex id is listed twice"
        assert f"x.vertices.csv, line 5: {twice}" in self.refused(tmp_path, "id\na\nhannelore\nb\nhannelore\n")
        assert "line 3: a vertex has no id" in self.refused(tmp_path, "id,age\na,1\n,2\nb,3\n")
        assert "line 3: 3 columns" in self.refused(tmp_path, "id,age\na,1\nb,2,hannelore\n")
        assert "attribute occurs twice" in self.refused(tmp_path, "id,age,age\na,1,1\nb,2,2\n")
        assert "x.vertices.csv is empty" in self.refused(tmp_path, "")

    def test_a_vertex_that_a_file_without_lines_names(self, tmp_path: Path) -> None:
        (tmp_path / "x.gml").write_text("graph [ node [ id 1 ] ]")
        (tmp_path / "people").write_text("id\n2\n")
        message = refusal(tmp_path / "x.gml", vertices=tmp_path / "people")
        assert "x.gml names a vertex that people does not list; add the vertex there" in message

    def test_named_but_missing(self, tmp_path: Path) -> None:
        (tmp_path / "x.csv").write_text("1,2\n")
        with pytest.raises(NotFound, match=r"people\.csv"):
            read_network(tmp_path / "x.csv", vertices=tmp_path / "people.csv")

    def test_rows_of_another_network(self, tmp_path: Path) -> None:
        from auditor.formats.networks import LoadedNetwork, write_network
        from graphkit.networks.graphs.graph import SimpleGraph

        network = LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.array(["a", "b"], dtype=object), {})
        path, vertices = write_network(tmp_path / "x.graph", network)
        vertices.write_text(vertices.read_text() + '"c"\n')
        with pytest.raises(BadFile, match="one row for each vertex"):
            read_network(path)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("x.graphml", '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'),
        ("y.graphml", '<graphml><graph><node id="a"/><node id="b"/><edge directed="true" source="a" target="b"/></graph></graphml>'),
        ("x.gml", "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"),
        ("x.net", "*Vertices 2\n*Arcs\n1 2\n"),
        ("y.net", "*Vertices 2\n*Arcslist\n1 2\n"),
        ("x.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"),
        ("x.json", json.dumps({"directed": True, "nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]})),
    ],
    ids=lambda text: text if len(text) < 12 else "",
)  # fmt: skip
def test_directed_networks_are_refused_unless_symmetrized(file: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_text(content)
    assert "--symmetrize" in refusal(path, BadInput)
    network = read_network(path, symmetrize=True)
    assert network.graph.m == 1
    assert network.notes.symmetrized
    overruled = read_network(path, directed=False)
    assert overruled.graph.m == 1
    assert not overruled.notes.symmetrized


def test_an_edge_list_that_the_caller_calls_directed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("1,2\n")
    assert "directed" in refusal(tmp_path / "x.csv", BadInput, directed=True)
    assert read_network(tmp_path / "x.csv", directed=True, symmetrize=True).notes.symmetrized


@pytest.mark.parametrize("delimiter", ["", ",,", "\n", '"', "é"])
def test_a_delimiter_that_is_none_is_refused(delimiter: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("1,2\n")
    with pytest.raises(BadInput, match="one ASCII character"):
        read_network(tmp_path / "x.csv", delimiter=delimiter)
