"""How files in the wild are read: delimiters, headers, ids, comments, and what the notes say."""

from __future__ import annotations

import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from auditor.formats.networks import LoadedNetwork, companion_path, known_formats, read_network
from auditor.formats.networks.labels import canonical_labels
from auditor.formats.networks.registry import format_named, format_of_name
from graphkit.networks.graphs.graph import DroppedEdges


def reading(folder: Path, content: str | bytes, name: str = "x.csv", **options: object) -> LoadedNetwork:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_network(path, **options)  # type: ignore[arg-type]


def pairs(network: LoadedNetwork) -> list[list[object]]:
    return network.labels[network.graph.edges].tolist()  # type: ignore[no-any-return]


class TestDelimiters:
    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("x.csv", "1,2\n2,3\n"),
            ("x.csv", "1;2\n2;3\n"),
            ("x.csv", "1|2\n2|3\n"),
            ("x.csv", "1\t2\n2\t3\n"),
            ("x.csv", "1 2\n2 3\n"),
            ("x.csv", "1, 2\n2, 3\n"),
            ("x.csv", "1,2\r\n2,3\r\n"),
            ("x.csv", "1,2\n\n2,3"),
            ("x.csv", '"1","2"\n"2","3"\n'),
            ("x.csv", "1,2,\n2,3,\n"),
            ("x.csv", "# comment\n\n1,2\n2,3\n"),
            ("x.tsv", "1\t2\n2\t3\n"),
            ("x.txt", "1 2\n2 3\n"),
            ("x.txt", "  1   2  \n\t2 \t 3\r\n"),
            ("x.txt", "1\t2\n2\t3\n"),
            ("x.txt", "1,2\n2,3\n"),
            ("x.txt", "% konect\n1 2\n# more\n   % and more\n2 3\n#end"),
            ("x.txt", "# FromNodeId\tToNodeId\n1\t2\n2\t3\n"),
            ("x.edges", "1 2\n2 3\n"),
            ("unknown", "1 2\n2 3\n"),
            ("unknown", "1,2\n2,3\n"),
            ("x.dat", "1;2\n2;3\n"),
            ("x.CSV", "1,2\n2,3\n"),
        ],
    )
    def test_are_found_out(self, name: str, content: str, tmp_path: Path) -> None:
        network = reading(tmp_path, content, name)
        assert pairs(network) == [[1, 2], [2, 3]]
        bom = reading(tmp_path, b"\xef\xbb\xbf" + content.encode(), name)
        assert pairs(bom) == [[1, 2], [2, 3]]

    def test_can_be_given(self, tmp_path: Path) -> None:
        assert pairs(reading(tmp_path, "a b,c:d e,f\n", delimiter=":")) == [["a b,c", "d e,f"]]
        assert pairs(reading(tmp_path, "1\t2\n", delimiter="\\t")) == [[1, 2]]

    def test_inside_quotation_marks_belong_to_the_id(self, tmp_path: Path) -> None:
        network = reading(tmp_path, 'source,target\n"Smith, John","said ""hi"""\n"two\nlines","Smith, John"\n')
        assert set(network.labels) == {"Smith, John", 'said "hi"', "two\nlines"}
        assert network.graph.m == 2

    def test_tabs_separate_names_with_blanks(self, tmp_path: Path) -> None:
        assert pairs(reading(tmp_path, "Ann Lee\tBo Ray\nBo Ray\tCy Day\n", "x.txt")) == [
            ["Ann Lee", "Bo Ray"],
            ["Bo Ray", "Cy Day"],
        ]


class TestHeaders:
    @pytest.mark.parametrize(
        "header", ["source,target", "From,To", "a,b", "Source,Target,Weight", '"src","dst"', "# u,v"]
    )
    def test_are_found_out(self, header: str, tmp_path: Path) -> None:
        row = "1,2,5\n" if "Weight" in header else "1,2\n"
        network = reading(tmp_path, f"{header}\n{row}")
        assert pairs(network) == [[1, 2]]
        assert network.notes.dropped_columns == (("Weight",) if "Weight" in header else ())

    def test_tell_which_columns_are_the_ends(self, tmp_path: Path) -> None:
        network = reading(tmp_path, "Id,Target,Time,Source\n9,1,77,2\n8,2,78,3\n")
        assert pairs(network) == [[1, 2], [2, 3]]
        assert network.notes.dropped_columns == ("Id", "Time")

    def test_names_alone_are_an_edge_with_a_remark(self, tmp_path: Path) -> None:
        network = reading(tmp_path, "ann,bo\nbo,cy\n")
        assert network.graph.m == 2
        assert "first line" in network.notes.remarks[0]
        assert reading(tmp_path, "ann,bo\nbo,cy\n", header=True).graph.m == 1
        assert reading(tmp_path, "source,target\nbo,cy\n", header=False).graph.m == 2

    def test_nameless_columns_are_dropped_by_number(self, tmp_path: Path) -> None:
        assert reading(tmp_path, "1,2,0.5,x\n").notes.dropped_columns == ("column 3", "column 4")
        assert reading(tmp_path, "1 2 0.5\n2 3 0.7\n", "x.txt").notes.dropped_columns == ("column 3",)


class TestIds:
    @pytest.mark.parametrize(
        ("ids", "labels"),
        [
            (["10", "9", "-3"], [-3, 9, 10]),
            (["007", "7", "10"], ["007", "10", "7"]),
            (["1", "b", "10", "9"], ["1", "10", "9", "b"]),
            (["9223372036854775807", "0"], [0, 2**63 - 1]),
            (["9223372036854775808", "0"], ["0", "9223372036854775808"]),
            (["-9223372036854775808", "0"], [-(2**63), 0]),
            (["+1", "2"], ["+1", "2"]),
            (["-0", "2"], ["-0", "2"]),
            (["1.5", "2"], ["1.5", "2"]),
            (["1e3", "2"], ["1e3", "2"]),
            (["0x10", "2"], ["0x10", "2"]),
            (["e\u0301", "\u00e9"], ["e\u0301", "\u00e9"]),
            (["None", "nan", "ann"], ["None", "ann", "nan"]),
            (["\u0661", "2"], ["2", "\u0661"]),
        ],
    )
    def test_become_integers_or_stay_as_they_are(self, ids: list[str], labels: list[object], tmp_path: Path) -> None:
        rows = "".join(f"{a},{b}\n" for a, b in itertools.pairwise(ids))
        network = reading(tmp_path, f"source,target\n{rows}")
        assert network.labels.tolist() == labels
        assert network.graph.m == len(ids) - 1

    def test_written_as_floats_are_integers_again(self, tmp_path: Path) -> None:
        network = reading(tmp_path, "source,target\n1.0,2\n2.0,3\n")
        assert pairs(network) == [[1, 2], [2, 3]]
        assert "fraction" in network.notes.remarks[0]

    def test_that_differ_by_blanks_are_said(self, tmp_path: Path) -> None:
        network = reading(tmp_path, "source,target\nann,bo\nbo ,cy\n")
        assert network.graph.n == 4
        assert "blanks" in network.notes.remarks[0]

    def test_after_delimiter_and_blank(self, tmp_path: Path) -> None:
        assert pairs(reading(tmp_path, "source, target\nann, bo\nbo, cy\n")) == [["ann", "bo"], ["bo", "cy"]]

    @given(
        st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1), unique=True)
    )
    def test_are_integers_exactly_if_python_writes_them_so(self, texts: list[str]) -> None:
        def is_integer(text: str) -> bool:
            try:
                return str(int(text)) == text and -(2**63) <= int(text) < 2**63
            except ValueError:
                return False

        labels = canonical_labels(texts)
        assert list(map(str, labels.tolist())) == texts
        assert (labels.dtype == np.int64) == all(map(is_integer, texts))

    def test_millions_of_digits_are_text(self) -> None:
        assert canonical_labels(["9" * 10_000]).dtype == object


class TestNotes:
    def test_count_what_was_dropped(self, tmp_path: Path) -> None:
        network = reading(tmp_path, "1,2\n2,1\n1,2\n3,3\n1,4\n")
        assert network.notes.dropped == DroppedEdges(loops=1, duplicates=1, reversed=1)
        assert pairs(network) == [[1, 2], [1, 4]]

    def test_loops_alone_are_vertices_without_edges(self, tmp_path: Path) -> None:
        network = reading(tmp_path, "1,1\n2,2\n")
        assert (network.graph.n, network.graph.m, network.notes.dropped.loops) == (2, 0, 2)

    def test_weights_of_every_format_are_dropped_and_named(self, tmp_path: Path) -> None:
        files = {
            "a.graphml": '<graphml><key id="w" for="edge" attr.name="weight"/><graph><node id="1"/><node id="2"/>'
            '<edge source="1" target="2"><data key="w">7</data></edge></graph></graphml>',
            "a.gml": "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight 7 ] ]",
            "a.net": "*Vertices 2\n*Edges\n1 2 7\n",
            "b.net": "*Vertices 2\n*Edges\n1 2 7 c Blue\n",
            "a.mtx": "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 7.5e300\n",
            "b.mtx": "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 nan\n",
            "a.graph": "2 1 001\n2 7\n1 7\n",
            "a.json": '{"nodes":[{"id":1},{"id":2}],"links":[{"source":1,"target":2,"weight":7}]}',
        }
        for name, content in files.items():
            network = reading(tmp_path, content, name)
            assert len(network.notes.dropped_columns) == 1, name
            assert pairs(network) == [[1, 2]], name

    def test_snap_header(self, tmp_path: Path) -> None:
        added = reading(tmp_path, "# Nodes: 5 Edges: 2\n0 1\n1 3\n", "x.txt")
        assert (added.graph.n, added.labels.tolist()) == (5, [0, 1, 2, 3, 4])
        assert "header" in added.notes.remarks[0]
        counted = reading(tmp_path, "# Nodes: 3 Edges: 2\n10 20\n20 30\n", "x.txt")
        assert (counted.graph.n, counted.notes.remarks) == (3, ())
        cut = reading(tmp_path, "# Nodes: 3 Edges: 3\n10 20\n20 30\n", "x.txt")
        assert "whole" in cut.notes.remarks[0]
        other = reading(tmp_path, "# Nodes: 9 Edges: 2\n10 20\n20 30\n", "x.txt")
        assert other.graph.n == 3
        assert "another number" in other.notes.remarks[0]
        directed = reading(tmp_path, "# Directed graph (each unordered pair of nodes is saved once)\n1 2\n", "x.txt")
        assert "undirected" in directed.notes.remarks[0]

    def test_metis_reports_no_edge_as_reversed(self, tmp_path: Path) -> None:
        network = reading(tmp_path, "% c\n3 2 11 1\n\t5 2 9\n6 1 9 3 9\n5 2 9\n", "x.graph")
        assert pairs(network) == [[1, 2], [2, 3]]
        assert network.notes.dropped == DroppedEdges()
        assert network.notes.dropped_columns == ("vertex weights", "edge weights")


class TestAttributes:
    def test_of_graphml_with_types_and_defaults(self, tmp_path: Path) -> None:
        content = (
            '<?xml version="1.0" encoding="UTF-8"?><g:graphml xmlns:g="http://graphml.graphdrawing.org/xmlns">'
            '<g:key id="k" for="node" attr.name="club" attr.type="string"><g:default>none</g:default></g:key>'
            '<g:key id="d" for="node" yfiles.type="nodegraphics"/>'
            '<g:graph edgedefault="undirected"><g:node id="a"><g:data key="k">x &amp; y</g:data></g:node>'
            '<g:node id="b"><g:data key="d"><g:Shape/></g:data></g:node></g:graph></g:graphml>'
        )
        network = reading(tmp_path, content, "x.graphml")
        assert {name: values.tolist() for name, values in network.attributes.items()} == {"club": ["x & y", "none"]}
        assert len(network.notes.remarks) == 1

    def test_of_json_that_are_no_text(self, tmp_path: Path) -> None:
        content = '{"nodes":[{"id":2,"v":null},{"id":1,"v":1.50,"w":[1,{"a":true}]}],"links":[]}'
        network = reading(tmp_path, content, "x.json")
        assert {k: v.tolist() for k, v in network.attributes.items()} == {
            "v": ["1.50", ""],
            "w": ['["1",{"a":true}]', ""],
        }

    def test_of_gml_with_ids_and_labels(self, tmp_path: Path) -> None:
        different = 'graph [ node [ id 5 label "ann" ] node [ id 7 label "bo" ] edge [ source 7 target 5 ] ]'
        assert pairs(reading(tmp_path, different, "x.gml")) == [["ann", "bo"]]
        same = different.replace("bo", "ann")
        network = reading(tmp_path, same, "x.gml")
        assert pairs(network) == [[5, 7]]
        assert network.attributes["label"].tolist() == ["ann", "ann"]

    def test_pajek_labels_that_repeat(self, tmp_path: Path) -> None:
        network = reading(tmp_path, '*Vertices 2\n1 "ann" 0.1 0.2\n2 "ann"\n*Edges\n1 2\n', "x.net")
        assert pairs(network) == [[1, 2]]
        assert network.attributes["label"].tolist() == ["ann", "ann"]

    def test_pajek_lists_and_many_sections(self, tmp_path: Path) -> None:
        content = "%c\n*Network x\n*Vertices 4\n*Edgeslist\n1 2 3\n\n*Edges :2\n3 4\n"
        assert pairs(reading(tmp_path, content, "x.net")) == [[1, 2], [1, 3], [3, 4]]


class TestVertexFiles:
    def test_bring_attributes_and_isolated_vertices(self, tmp_path: Path) -> None:
        (tmp_path / "x.vertices.csv").write_text("name;age\nann;40\nbo;\ncy;12\n")
        network = reading(tmp_path, "source,target\nbo,ann\n")
        assert network.labels.tolist() == ["ann", "bo", "cy"]
        assert network.attributes["age"].tolist() == ["40", "", "12"]
        assert "x.vertices.csv" in network.notes.remarks[-1]

    def test_can_be_named(self, tmp_path: Path) -> None:
        (tmp_path / "people").write_text("id\n3\n1\n2\n")
        network = reading(tmp_path, "2,1\n", vertices=tmp_path / "people")
        assert network.labels.tolist() == [1, 2, 3]
        gml = reading(tmp_path, "graph [ node [ id 1 v 5 ] ]", "x.gml", vertices=tmp_path / "people")
        assert gml.attributes["v"].tolist() == ["5", "", ""]

    def test_with_an_edge_list_without_edges(self, tmp_path: Path) -> None:
        (tmp_path / "x.vertices.csv").write_text("id\nann\nbo\n")
        network = reading(tmp_path, "source,target\n")
        assert (network.graph.n, network.graph.m) == (2, 0)

    def test_name(self) -> None:
        assert companion_path("a/x.csv.gz") == Path("a/x.vertices.csv")
        assert companion_path("x.b.tsv") == Path("x.b.vertices.csv")
        assert companion_path("x") == Path("x.vertices.csv")


class TestFormats:
    @pytest.mark.parametrize(
        ("content", "name"),
        [
            ("graph [ node [ id 1 ] ]", "gml"),
            ('Creator "me"\nVersion 1\ngraph\n[ node [ id 1 ] ]', "gml"),
            ("*Vertices 2\n*Edges\n1 2\n", "pajek"),
            ("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", "matrix_market"),
            ('<?xml version="1.0"?><graphml><graph><node id="a"/></graph></graphml>', "graphml"),
            ('{"nodes":[{"id":1}],"edges":[]}', "node_link"),
            ("1 2\n", "snap"),
            ("1,2\n", "csv"),
        ],
    )
    def test_are_recognized_by_content(self, content: str, name: str, tmp_path: Path) -> None:
        assert reading(tmp_path, content, "file").notes.format == name
        assert reading(tmp_path, content, "x.csv", format=name).notes.format == name

    def test_binary_formats_are_recognized_by_content(self, tmp_path: Path) -> None:
        from auditor.formats.networks import write_network

        network = reading(tmp_path, "0,1\n")
        for name in ("npz", "parquet"):
            write_network(tmp_path / "file", network, format=name)
            assert read_network(tmp_path / "file").notes.format == name

    def test_are_found_by_name_and_suffix(self) -> None:
        for info in known_formats():
            assert format_named(info.name) is info
            for suffix in info.suffixes:
                assert format_named(suffix) is format_named(suffix[1:]) is format_of_name(f"x{suffix}.zst") is info

    def test_are_all_documented(self) -> None:
        page = (Path(__file__).parents[5] / "docs" / "formats.md").read_text()
        for info in known_formats():
            assert f"`{info.name}`" in page
            assert all(f"`{suffix}`" in page for suffix in info.suffixes)

    def test_numpy_ids_without_n_are_labels(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "x.npz", edges=np.array([[5, 9], [9, 70]], dtype=np.uint16), weight=np.ones(2))
        network = read_network(tmp_path / "x.npz")
        assert network.labels.tolist() == [5, 9, 70]
        assert network.notes.dropped_columns == ("weight",)

    def test_parquet_of_other_programs(self, tmp_path: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = {"time": [1, 2], "target": [2.0, 3.0], "source": pa.array([1, 2], pa.uint8())}
        pq.write_table(pa.table(columns), tmp_path / "x.parquet")
        network = read_network(tmp_path / "x.parquet")
        assert pairs(network) == [[1, 2], [2, 3]]
        assert network.notes.dropped_columns == ("time",)
        words = pa.array(["b", "c"]).dictionary_encode()
        pq.write_table(pa.table({"a": pa.array(["a", "b"], pa.large_string()), "b": words}), tmp_path / "y.parquet")
        assert pairs(read_network(tmp_path / "y.parquet")) == [["a", "b"], ["b", "c"]]


def test_reading_a_table_loads_nothing_heavy_and_writing_one_no_graph_library(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("1,2\n")
    script = (
        "import sys\n"
        "import auditor.formats.networks as f\n"
        "assert not set(sys.modules) & {'pyarrow', 'zipfile', 'xml.parsers.expat', 'json'}, 'at import'\n"
        f"network = f.read_network({str(tmp_path / 'x.csv')!r})\n"
        "heavy = {'networkx', 'igraph', 'scipy', 'pyarrow.parquet'}\n"
        # pyarrow itself looks for pandas whenever it is given values, but not when it only gives them
        "assert not set(sys.modules) & (heavy | {'pandas'}), 'when reading'\n"
        f"f.write_network({str(tmp_path / 'y.npz')!r}, network)\n"
        f"f.read_network({str(tmp_path / 'y.npz')!r}, vertices=None)\n"
        "assert not set(sys.modules) & heavy, 'when writing'\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
