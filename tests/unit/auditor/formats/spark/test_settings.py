"""Addresses of a Spark, and what its process is told."""

import pytest
from pydantic import ValidationError

from auditor.config import SparkSettings
from auditor.formats.spark.opening import cores_of


@pytest.mark.parametrize(
    ("master", "places", "cores"),
    [
        ("local", [], 1),
        ("local[3]", [], 3),
        ("local-cluster[2,3,1024]", [], 6),
        ("local-cluster[2, 1, 1024]", [], 2),
        ("spark://a.example:7077,b:7078", [("a.example", 7077), ("b", 7078)], None),
        ("yarn", [], None),
        ("k8s://https://k8s.example:6443", [], None),
        ("sc://spark.example", [("spark.example", 15002)], None),
        ("sc://spark.example:443/;token=abc;use_ssl=true", [("spark.example", 443)], None),
    ],
)
def test_an_address_says_who_must_answer_and_how_many_cores_are_here(
    master: str, places: list[tuple[str, int]], cores: int | None
) -> None:
    settings = SparkSettings(master=master)
    assert settings.places == places
    assert cores_of(settings.master) == cores
    assert "token" not in settings.shown


@pytest.mark.parametrize(
    "master", ["", "loca", "local[0]", "spark://host", "spark://", "sc://h h", "http://a:1", "yarn-client"]
)
def test_something_else_is_refused(master: str) -> None:
    with pytest.raises(ValidationError, match="address of a Spark"):
        SparkSettings(master=master)
