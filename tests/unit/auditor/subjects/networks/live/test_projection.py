"""What is a projection, and what is the address of a graph database."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import Json, TypeAdapter

from auditor.config.addresses import graph_address
from auditor.core.errors import BadInput
from auditor.subjects.networks.live.origin import LiveOrigin
from auditor.subjects.networks.live.projection import Projection
from auditor.subjects.networks.live.queries import block_query, rows_query


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"labels": ()}, "--nodes"),
        ({"types": ()}, "--relationships"),
        ({"labels": ("",)}, "empty"),
        ({"types": ("A\nB",)}, "do not print"),
        ({"key": ""}, "empty"),
        ({"where": " "}, "condition is empty"),
        ({"at_least": 0.0}, "--at-least"),
        ({"at_least": float("nan")}, "--at-least"),
        ({"through": ("Group",), "weight": "since"}, "--through"),
    ],
)
def test_what_is_no_projection_is_refused_in_one_line(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said) as caught:
        Projection(**{"labels": ("Person",), "types": ("KNOWS",), **options})
    assert "\n" not in str(caught.value)


def test_an_origin_is_read_as_it_was_kept() -> None:
    projection = Projection(
        ("A", "B"), ("T",), where="n.x = 1", weight="w", at_least=2.5, key="id", attributes=("sex",)
    )
    origin = LiveOrigin("neo4j://db:7687/people", projection)
    assert TypeAdapter(Json[LiveOrigin]).validate_python(origin.text()) == origin


def test_a_condition_is_not_shown() -> None:
    origin = LiveOrigin("neo4j://db:7687", Projection(("Person",), ("KNOWS",), where="n.name = 'quagmire'"))
    assert "quagmire" not in origin.shown
    assert origin.shown == "neo4j://db:7687 (:Person)-[:KNOWS]-(:Person)"


@pytest.mark.parametrize("query", [block_query, rows_query])
def test_names_cannot_leave_their_quotes(query: Any) -> None:
    text = query(Projection(("P` DETACH DELETE n //",), ("K",), attributes=("a` ",), key="b`"))
    assert "`P`` DETACH DELETE n //`" in text
    assert text.replace("``", "").count("`") % 2 == 0


@pytest.mark.parametrize(
    "text",
    ["neo4j://", "neo4j:///people", "neo4j://db/a/b", "neo4j://db?x=1", "neo4j://d b", "http://db", "neo4j://u:p@db"],
)
def test_what_is_no_address_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        graph_address(text)
    assert "u:p" not in str(caught.value)
