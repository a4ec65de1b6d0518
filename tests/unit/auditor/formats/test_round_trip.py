"""What is written is read back: graph, labels, attributes, in every format and compression."""

from __future__ import annotations

import tempfile
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from auditor.core.errors import AlreadyExists, BadFile, BadInput, NotDelivered
from auditor.formats.networks import (
    FormatInfo,
    LoadedNetwork,
    companion_path,
    known_formats,
    read_network,
    write_network,
)
from auditor.formats.networks.labels import canonical_labels
from graphkit.networks.graphs.graph import SimpleGraph

COMPRESSIONS = ("", ".gz", ".bz2", ".zst")
EVERY_FORMAT = pytest.mark.parametrize("info", known_formats(), ids=lambda info: info.name)

# XML forbids control characters; everything else must survive everywhere
xml_text = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="￾￿") | st.sampled_from("\n\t\r"))
tricky = st.sampled_from(
    [
        *(
            "nan",
            "NA",
            "None",
            "null",
            "007",
            "1.0",
            "1.50",
            "-0",
            "+1",
            "1e3",
            "0x10",
            "true",
            "=1+1",
            "@",
            "[",
            "]",
            "'",
        ),
        *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809"),
        *("#a", "%b", "*c", "a,b", "a;b", "\\", "&amp;", "&", "<b>", "id", "source", "target", "vertices", 'say "x"'),
        *("e\u0301", "\u00e9", "İ", "\U0001f642", "\u2028", "\u00a0", "\ufeffx"),
        *(" ", "  a", "a ", "a\tb", "a\nb", "a\r\nb", "\r"),
    ]
)
ids = st.one_of(tricky, xml_text.filter(bool))
integers = st.integers(-(2**63), 2**63 - 1)
keys = st.one_of(
    st.sampled_from(["label", "name", "a", "é", "with space", 'q"', "x,y", "attr.name", "weight", "source"]),
    xml_text.filter(lambda text: text.strip() and text == text.strip() and text != "id" and "\r" not in text),
)


@st.composite
def networks(draw: st.DrawFn) -> LoadedNetwork:
    kind = draw(st.sampled_from(["numbered", "integers", "few integers", "text", "mixed"]))
    n = draw(st.integers(1, 7))
    if kind == "numbered":
        texts = [str(place + draw(st.sampled_from([0, 0, 1]))) for place in range(n)]
        assume(len(set(texts)) == n)
    elif kind == "integers":
        texts = list(map(str, draw(st.lists(integers, min_size=n, max_size=n, unique=True))))
    elif kind == "few integers":
        texts = list(map(str, draw(st.lists(st.integers(-3, 12), min_size=n, max_size=n, unique=True))))
    else:
        words = st.lists(
            ids | st.integers(0, 5).map(str) if kind == "mixed" else ids, min_size=n, max_size=n, unique=True
        )
        texts = draw(words)
    labels = canonical_labels(texts)
    labels = labels[np.array(sorted(range(n), key=labels.tolist().__getitem__))]
    ends = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=12))
    graph = SimpleGraph.from_edges(np.array(edges, dtype=np.int64).reshape(-1, 2), n)
    values = st.lists(st.one_of(st.just(""), tricky, xml_text), min_size=n, max_size=n)
    attributes = draw(st.dictionaries(keys, values.map(lambda column: np.array(column, dtype=object)), max_size=2))
    return LoadedNetwork(graph, labels, attributes)


def check_same(found: LoadedNetwork, expected: LoadedNetwork) -> None:
    assert found.graph.n == expected.graph.n
    assert found.graph.edges.dtype == np.int64
    assert found.graph.edges.tolist() == expected.graph.edges.tolist()
    assert found.labels.dtype == expected.labels.dtype
    assert found.labels.tolist() == expected.labels.tolist()
    assert {k: v.tolist() for k, v in found.attributes.items()} == {
        k: v.tolist() for k, v in expected.attributes.items()
    }


@EVERY_FORMAT
@settings(max_examples=60, deadline=None)
@given(network=networks(), compression=st.sampled_from(COMPRESSIONS))
def test_every_format_gives_back_what_was_written(info: FormatInfo, network: LoadedNetwork, compression: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"net{info.suffixes[0]}{compression}"
        written = write_network(path, network)
        assert sorted(Path(folder).iterdir()) == sorted(written)
        found = read_network(path)
        check_same(found, network)
        assert found.notes.format == info.name
        assert (found.notes.dropped.loops, found.notes.dropped.duplicates, found.notes.dropped.reversed) == (0, 0, 0)


@EVERY_FORMAT
@pytest.mark.parametrize(
    "labels",
    [
        ["source", "target"],
        ["id", "label"],
        ["1", "nan"],
        ["1.0", "2"],
        [" 1", "2"],
        ["#a", "b"],
        ["a", "a "],
        ["x", "y,z"],
    ],
)
def test_ids_that_look_like_something_else_come_back(info: FormatInfo, labels: list[str], tmp_path: Path) -> None:
    network = LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.array(labels, dtype=object), {})
    check_same(read_network(write_network(tmp_path / f"x{info.suffixes[0]}", network)[0]), network)


@EVERY_FORMAT
@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_bytes_depend_on_the_network_alone(info: FormatInfo, compression: str, tmp_path: Path) -> None:
    network = LoadedNetwork(SimpleGraph.from_edges([(0, 1), (1, 2)], 4), np.array(list("abcd"), dtype=object), {})
    first = write_network(tmp_path / f"one{info.suffixes[0]}{compression}", network)
    second = write_network(
        tmp_path / "aside.tmp-17",
        network,
        name=f"one{info.suffixes[0]}{compression}",
        companion=tmp_path / "aside.companion",
    )
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]
    assert second[0] == tmp_path / "aside.tmp-17"
    found = read_network(second[0], format=info.name, vertices=second[1] if len(second) > 1 else None)
    check_same(found, network)


@EVERY_FORMAT
def test_published_ids_need_no_vertex_file_where_no_vertex_is_isolated(info: FormatInfo, tmp_path: Path) -> None:
    network = LoadedNetwork(SimpleGraph.from_edges([(0, 1), (1, 2)]), np.arange(3), {})
    numbered_from_one = info.name in ("metis", "matrix_market")
    written = write_network(tmp_path / f"x{info.suffixes[0]}", network)
    assert (len(written) == 2) == numbered_from_one


@pytest.mark.parametrize("info", [info for info in known_formats() if info.isolated], ids=lambda info: info.name)
def test_a_format_with_room_for_isolated_vertices_needs_no_vertex_file_for_them(
    info: FormatInfo, tmp_path: Path
) -> None:
    first = 1 if info.name in ("metis", "matrix_market") else 0
    network = LoadedNetwork(SimpleGraph.from_edges([(0, 1)], 5), np.arange(first, first + 5), {})
    written = write_network(tmp_path / f"x{info.suffixes[0]}", network)
    assert len(written) == 1
    check_same(read_network(written[0]), network)


@pytest.mark.parametrize("suffix", [".csv", ".txt", ".tsv", ".parquet"])
def test_the_order_of_lines_changes_nothing(suffix: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    edges = rng.integers(0, 30, (80, 2))
    found = []
    for place in range(3):
        path = tmp_path / f"{place}.csv"
        path.write_text("source,target\n" + "".join(f"p{a},p{b}\n" for a, b in rng.permutation(edges).tolist()))
        found.append(read_network(path))
    check_same(found[1], found[0])
    check_same(found[2], found[0])


def networkx_of(network: LoadedNetwork) -> nx.Graph:
    graph = nx.Graph()
    labels = list(map(str, network.labels.tolist()))
    graph.add_nodes_from(labels)
    graph.add_edges_from((labels[a], labels[b]) for a, b in network.graph.edges.tolist())
    return graph


def sample() -> LoadedNetwork:
    rng = np.random.default_rng(1)
    labels = np.array(sorted(f"v{number}" for number in range(1, 31)), dtype=object)
    return LoadedNetwork(SimpleGraph.from_edges(rng.integers(0, 28, (60, 2)), 30), labels, {})


def same_graph(found: nx.Graph, expected: nx.Graph) -> bool:
    return set(found) == set(expected) and {frozenset(e) for e in found.edges} == {frozenset(e) for e in expected.edges}


class TestOtherProgramsReadOurFiles:
    def test_networkx_reads_our_graphml(self, tmp_path: Path) -> None:
        (path,) = write_network(tmp_path / "x.graphml", sample())
        assert same_graph(nx.read_graphml(path), networkx_of(sample()))

    def test_networkx_reads_our_gml(self, tmp_path: Path) -> None:
        (path,) = write_network(tmp_path / "x.gml", sample())
        assert same_graph(nx.read_gml(path), networkx_of(sample()))

    def test_networkx_reads_our_pajek(self, tmp_path: Path) -> None:
        (path,) = write_network(tmp_path / "x.net", sample())
        assert same_graph(nx.Graph(nx.read_pajek(path)), networkx_of(sample()))

    def test_networkx_reads_our_node_link(self, tmp_path: Path) -> None:
        import json

        (path,) = write_network(tmp_path / "x.json", sample())
        assert same_graph(nx.node_link_graph(json.loads(path.read_text()), edges="edges"), networkx_of(sample()))

    @pytest.mark.parametrize("suffix", ["graphml", "gml", "net"])
    def test_igraph_reads_our_files(self, suffix: str, tmp_path: Path) -> None:
        import igraph

        (path,) = write_network(tmp_path / f"x.{suffix}", sample())
        graph = igraph.Graph.Read(str(path), format={"net": "pajek"}.get(suffix, suffix))
        names = graph.vs[{"graphml": "id", "gml": "label", "net": "name"}[suffix]]
        found = nx.Graph([(names[a], names[b]) for a, b in graph.get_edgelist()])
        found.add_nodes_from(names)
        assert same_graph(found, networkx_of(sample()))
        assert not graph.is_directed()

    def test_scipy_reads_our_matrix(self, tmp_path: Path) -> None:
        import scipy.io

        path = write_network(tmp_path / "x.mtx", sample())[0]
        matrix = scipy.io.mmread(path).toarray() != 0
        expected = np.zeros((30, 30), dtype=bool)
        expected[tuple(sample().graph.edges.T)] = True
        assert np.array_equal(matrix, expected | expected.T)

    def test_metis_lines_are_the_neighbours(self, tmp_path: Path) -> None:
        path = write_network(tmp_path / "x.graph", sample())[0]
        lines = [line for line in path.read_text().split("\n") if not line.startswith("%")]
        graph = networkx_of(sample())
        names = sample().labels.tolist()
        assert lines[0].split() == [str(len(graph)), str(graph.number_of_edges())]
        assert [{names[int(word) - 1] for word in line.split()} for line in lines[1:31]] == [
            set(graph[v]) for v in names
        ]

    def test_numpy_and_arrow_read_our_tables(self, tmp_path: Path) -> None:
        import csv

        import pyarrow.parquet as pq

        network = sample()
        expected = [[network.labels[a], network.labels[b]] for a, b in network.graph.edges.tolist()]
        with np.load(write_network(tmp_path / "x.npz", network)[0], allow_pickle=False) as arrays:
            assert arrays["edges"].tolist() == network.graph.edges.tolist()
            assert arrays["n"] == 30
        table = pq.read_table(write_network(tmp_path / "x.parquet", network)[0])
        assert [list(row.values()) for row in table.to_pylist()] == expected
        with write_network(tmp_path / "x.csv", network)[0].open(newline="") as file:
            assert list(csv.reader(file)) == [["source", "target"], *expected]


class TestWeReadOtherProgramsFiles:
    @pytest.fixture
    def graph(self) -> nx.Graph:
        graph = nx.relabel_nodes(nx.karate_club_graph(), lambda number: f"m {number}")
        for _, _, data in graph.edges(data=True):
            data.clear()
        graph.add_node("alone", club='the "other"\nclub & <more>')
        return graph

    def check(self, path: Path, graph: nx.Graph) -> LoadedNetwork:
        network = read_network(path)
        assert same_graph(networkx_of(network), graph)
        return network

    @pytest.mark.parametrize("suffix", ["graphml", "gml", "json"])
    def test_networkx_files(self, suffix: str, graph: nx.Graph, tmp_path: Path) -> None:
        import json

        path = tmp_path / f"x.{suffix}"
        if suffix == "graphml":
            nx.write_graphml_xml(graph, path)
        elif suffix == "gml":
            nx.write_gml(graph, path)
        else:
            path.write_text(json.dumps(nx.node_link_data(graph, edges="links")))
        network = self.check(path, graph)
        club = dict(zip(network.labels.tolist(), network.attributes["club"].tolist(), strict=True))
        assert club == {vertex: graph.nodes[vertex]["club"] for vertex in graph}

    def test_networkx_pajek(self, tmp_path: Path) -> None:
        graph = nx.relabel_nodes(nx.path_graph(5), str)
        nx.write_pajek(graph, tmp_path / "x.net")
        network = self.check(tmp_path / "x.net", graph)
        assert network.labels.tolist() == [0, 1, 2, 3, 4]

    @pytest.mark.parametrize("kind", ["graphml", "gml", "pajek"])
    def test_igraph_files(self, kind: str, tmp_path: Path) -> None:
        import igraph

        graph = igraph.Graph.Famous("Zachary")
        graph.vs["name"] = [f"n{number}" for number in range(34)]
        graph.vs["label"] = graph.vs["name"]
        path = tmp_path / f"x.{kind}"
        graph.write(str(path), format=kind)
        network = read_network(path)
        assert network.graph.m == 78
        degrees = dict(zip(network.labels.tolist(), network.graph.degrees().tolist(), strict=True))
        if kind == "graphml":
            degrees = dict(zip(network.attributes["name"].tolist(), network.graph.degrees().tolist(), strict=True))
        elif kind == "pajek":
            degrees = {f"n{number}": graph.degree(number) for number in range(34)}
        assert degrees == dict(zip(graph.vs["name"], graph.degree(), strict=True))

    def test_scipy_matrix(self, tmp_path: Path) -> None:
        import scipy.io

        graph = nx.karate_club_graph()
        scipy.io.mmwrite(tmp_path / "x.mtx", nx.to_scipy_sparse_array(graph), symmetry="symmetric")
        network = read_network(tmp_path / "x.mtx")
        assert [[a - 1, b - 1] for a, b in network.labels[network.graph.edges].tolist()] == sorted(
            map(sorted, graph.edges)
        )
        assert network.notes.dropped_columns == ("values",)


class TestWriting:
    network = LoadedNetwork(SimpleGraph.from_edges([(0, 1)]), np.array([5, 9]), {})

    def test_a_vertex_file_that_would_be_misread_is_not_left_there(self, tmp_path: Path) -> None:
        companion_path(tmp_path / "x.csv").write_text("id\n1\n")
        with pytest.raises(AlreadyExists, match="move it away"):
            write_network(tmp_path / "x.csv", self.network)
        assert not (tmp_path / "x.csv").exists()

    def test_a_suffix_without_format_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(BadInput, match="suffix"):
            write_network(tmp_path / "x.doc", self.network)
        with pytest.raises(BadInput, match="formats are"):
            write_network(tmp_path / "x.csv", self.network, format="doc")

    def test_a_missing_folder_is_not_delivered(self, tmp_path: Path) -> None:
        with pytest.raises(NotDelivered, match="No such file"):
            write_network(tmp_path / "no" / "x.csv", self.network)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
    @pytest.mark.parametrize("suffix", [info.suffixes[0] for info in known_formats()])
    @pytest.mark.parametrize("compression", COMPRESSIONS)
    def test_a_full_disk_is_not_delivered(self, suffix: str, compression: str, tmp_path: Path) -> None:
        with pytest.raises(NotDelivered, match="No space left"):
            write_network("/dev/full", self.network, name=f"x{suffix}{compression}", companion=tmp_path / "c")

    @pytest.mark.parametrize("bad", ["", "a\0", "\ud800"])
    def test_labels_that_no_format_holds_are_refused(self, bad: str, tmp_path: Path) -> None:
        labels = np.array([bad, "z"], dtype=object)
        with pytest.raises(BadInput, match="label"):
            write_network(tmp_path / "x.csv", LoadedNetwork(self.network.graph, labels, {}))
        attributes = {bad: np.array(["", ""], dtype=object)}
        with pytest.raises(BadInput, match="attribute"):
            write_network(tmp_path / "x.csv", LoadedNetwork(self.network.graph, self.network.labels, attributes))

    def test_what_xml_and_json_cannot_hold_is_refused(self, tmp_path: Path) -> None:
        labels = np.array(["a\x01", "b"], dtype=object)
        with pytest.raises(BadInput, match="control character"):
            write_network(tmp_path / "x.graphml", LoadedNetwork(self.network.graph, labels, {}))
        attributes = {"id": np.array(["", ""], dtype=object)}
        with pytest.raises(BadInput, match="called 'id'"):
            write_network(tmp_path / "x.json", LoadedNetwork(self.network.graph, labels, attributes))

    def test_a_network_without_vertices_is_refused(self, tmp_path: Path) -> None:
        empty = LoadedNetwork(SimpleGraph.from_edges([], 0), np.empty(0, dtype=np.int64), {})
        with pytest.raises(BadInput, match="without vertices"):
            write_network(tmp_path / "x.csv", empty)

    def test_a_lost_vertex_file_is_noticed_where_the_file_refers_to_it(self, tmp_path: Path) -> None:
        path, vertices = write_network(tmp_path / "x.graph", self.network)
        vertices.unlink()
        with pytest.raises(BadFile, match="vertex file"):
            read_network(path)
