"""The verifier finds every way in which a release can break its claim."""

import numpy as np
import pytest

from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.verify import DegreeClaim, verify_release

ORIGINAL = SimpleGraph.from_edges([(0, 1), (1, 2)], n=4)
EDGES = np.array([[0, 1], [1, 2], [2, 3], [0, 3]])
RELABELLING = np.array([2, 1, 0, 3])
CLAIM = DegreeClaim(k=4, n=4)


def failed(edges: np.ndarray, vertices: np.ndarray, relabelling: np.ndarray | None = RELABELLING) -> list[str]:
    report = verify_release(CLAIM, edges, vertices, ORIGINAL, relabelling)
    assert report.passed == all(check.passed for check in report.checks)
    return [check.name for check in report.checks if not check.passed]


def test_a_release_that_keeps_its_claim_passes() -> None:
    assert failed(EDGES, np.arange(4)) == []
    assert failed(EDGES[::-1, ::-1], np.array([3, 1, 0, 2])) == []


@pytest.mark.parametrize(
    ("edges", "vertices", "broken"),
    [
        (EDGES, np.arange(3), "vertices"),
        (EDGES, np.array([0, 1, 2, 2]), "vertices"),
        (EDGES, np.arange(1, 5), "vertices"),
        (np.array([[0, 1], [1, 0], [2, 3], [0, 3]]), np.arange(4), "simple"),
        (np.array([[0, 0], [1, 2], [2, 3], [0, 3]]), np.arange(4), "simple"),
        (np.array([[0, 4], [1, 2], [2, 3], [0, 3]]), np.arange(4), "simple"),
        (np.array([[0, -1], [1, 2], [2, 3], [0, 3]]), np.arange(4), "simple"),
        (np.array([0, 1, 2]), np.arange(4), "simple"),
        (EDGES[:3], np.arange(4), "k-anonymous"),
        (np.array([[0, 2], [1, 2], [1, 3], [0, 3]]), np.arange(4), "contains the original"),
    ],
)
def test_each_broken_promise_is_named(edges: np.ndarray, vertices: np.ndarray, broken: str) -> None:
    assert broken in failed(edges, vertices)


def test_one_small_class_among_large_ones_breaks_the_claim() -> None:
    star = np.array([[0, 1], [0, 2], [0, 3]])
    report = verify_release(DegreeClaim(k=2, n=6, supergraph=False), star, np.arange(6))
    assert [check.name for check in report.checks if not check.passed] == ["k-anonymous"]
    report = verify_release(DegreeClaim(k=2, n=6, supergraph=False), np.array([[0, 1]]), np.arange(6))
    assert report.passed


@pytest.mark.parametrize("relabelling", [None, np.array([0, 1, 2]), np.array([0, 1, 2, 2]), np.array([2, 0, 1, 3])])
def test_a_missing_or_wrong_relabelling_fails(relabelling: np.ndarray | None) -> None:
    assert failed(EDGES, np.arange(4), relabelling) == ["contains the original"]


def test_the_verifier_imports_no_engine() -> None:
    import ast
    from pathlib import Path

    import graphkit.networks.verify as package

    folder = Path(package.__file__).parent
    imported = {
        node.module or ""
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    others = {name for name in imported if not name.startswith("graphkit.networks.verify.")}
    assert others <= {
        "__future__",
        "collections.abc",
        "dataclasses",
        "graphkit.arrays",
        "graphkit.networks.graphs.graph",
        "graphkit.presentation",
        "graphkit.verification",
        "numpy.typing",
        "typing",
    }
