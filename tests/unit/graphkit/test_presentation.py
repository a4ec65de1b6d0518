"""Results as plain values, as tables of a notebook, as drawings."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from typing import Any

import igraph
import matplotlib
import pytest

import graphkit.networks
import graphkit.tables
from graphkit.networks import anonymize, anonymize_under, audit, release, structural_risk
from graphkit.presentation import Presentable
from graphkit.tables import ContingencyTable, Variable, bounds, decide, find_frontier, simulate

matplotlib.use("Agg")
YES_NO = ("no", "yes")
TABLE = ContingencyTable.from_dense([[[1, 6], [7, 8]], [[9, 10], [5, 1]]], [Variable(name, YES_NO) for name in "ABC"])
ZACHARY = igraph.Graph.Famous("Zachary")
RESULTS: dict[str, Any] = {
    "Anonymization": anonymize(ZACHARY, 3),
    "ConstrainedAnonymization": anonymize_under(ZACHARY, 3),
    "DegreeRisk": audit(ZACHARY, 3),
    "CandidateRisk": structural_risk(ZACHARY, 3, knowledge=["ego"])["ego"],
    "ReleasedNetwork": release(ZACHARY, 3)[0],
    "CellBounds": bounds(TABLE, ["AB", "AC"], witnesses=True),
    "Decision": decide(TABLE, ["AB", "AC"], "BC"),
    "Frontier": find_frontier(TABLE, ["AB"]),
    "Simulation": simulate(TABLE, ["AB"], seed=1),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_a_dict_that_json_holds_and_a_table_in_a_notebook(name: str) -> None:
    result = RESULTS[name]
    assert type(result).__name__ == name
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()
    shown = result._repr_html_()
    assert shown.startswith("<table>")
    assert all(name.replace("_", " ") in shown for name in result._figures)


def test_every_result_offers_both() -> None:
    offers = [getattr(package, name) for package in (graphkit.networks, graphkit.tables) for name in package.__all__]
    for offered in offers:
        if inspect.isclass(offered) and issubclass(offered, Presentable):
            assert offered.__name__ in RESULTS


def test_a_notebook_shows_figures_and_no_edge() -> None:
    result = RESULTS["Anonymization"]
    assert f">{result.size}<" in result._repr_html_()
    assert "[" not in result._repr_html_()


@pytest.mark.parametrize("name", ["DegreeRisk", "CandidateRisk", "ReleasedNetwork"])
def test_a_result_is_drawn(name: str) -> None:
    from matplotlib import pyplot

    axes = RESULTS[name].plot()
    assert axes.get_legend().get_texts()[0].get_text() == "k = 3"
    assert RESULTS[name].plot(axes) is axes
    pyplot.close("all")


def test_bounds_are_drawn() -> None:
    from matplotlib import pyplot

    assert RESULTS["CellBounds"].plot().get_xlabel() == "cell"
    pyplot.close("all")


def test_a_drawing_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r"disclosure-auditor\[plot\]"):
        RESULTS["ReleasedNetwork"].plot()


def test_nothing_heavy_is_imported_for_a_release() -> None:
    code = "import sys; from graphkit.networks import release; release([('a','b')], 2); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # igraph itself imports matplotlib where it is there
    assert not {"pandas", "pyarrow", "polars", "networkx"} & set(done.stdout.split())
