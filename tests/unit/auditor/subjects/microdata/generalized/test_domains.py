"""Domains of the columns of a file: sorts of values, hierarchies, what is missing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from auditor.config import EdgeTableSettings
from auditor.core.errors import BadFile, BadInput
from auditor.formats.records.opening import OpenRecords, open_records
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.exports.generalized.domains import (
    CodedDomains,
    Generalizing,
    generalized_attributes,
    read_domains,
)

TEXT = "age,job,born,zip\n30,clerk,2000-01-02,131\n20,nurse,1999-05-06,132\n30,,2000-01-02,20\n"


@contextmanager
def opened(tmp_path: Path, text: str = TEXT) -> Iterator[OpenRecords]:
    path = tmp_path / "records.csv"
    path.write_text(text, encoding="utf-8")
    with open_records(path, EdgeTableSettings()) as found:
        yield found


def domains(tmp_path: Path, names: tuple[str, ...], text: str = TEXT, **choices: object) -> CodedDomains:
    with opened(tmp_path, text) as found:
        return read_domains(found, names, Generalizing(**choices))  # type: ignore[arg-type]


def test_numbers_and_dates_are_ranges_and_text_is_sets(tmp_path: Path) -> None:
    found = domains(tmp_path, ("age", "job", "born"), weights={"job": 2})
    assert [domain.kind for domain in found.domains] == ["range", "set", "range"]
    assert [domain.values for domain in found.domains] == [
        ("20", "30"),
        ("clerk", "nurse", None),
        ("1999-05-06", "2000-01-02"),
    ]
    assert found.codes.tolist() == [[1, 0, 1], [0, 1, 0], [1, 2, 1]]
    assert [attribute.weight for attribute in found.attributes] == [1, 2, 1]
    assert found.attributes[2].numbers.tolist() == [10717, 10958]


def test_hierarchies_come_from_a_file_or_from_the_categories(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("nurse;care;*\nclerk;office;*\ncook;office;*\n", encoding="utf-8")
    found = domains(tmp_path, ("job", "zip"), hierarchies={"job": str(tmp_path / "jobs.csv"), "zip": "prefixes"})
    job, zip_code = found.domains
    # what is missing is a value of its own right below the root
    assert job.labels == ("nurse", "clerk", "cook", None, "care", "*", "office")
    assert job.parents == (4, 6, 6, 5, 5, 5, 5)
    assert found.codes[:, 0].tolist() == [1, 0, 3]
    assert zip_code.labels[:3] == ("131", "132", "20")
    assert [attribute.kind for attribute in found.attributes] == ["tree", "tree"]


def test_a_hierarchy_that_lacks_a_category_names_the_record(tmp_path: Path) -> None:
    (tmp_path / "jobs.csv").write_text("clerk;office;*\n", encoding="utf-8")
    with pytest.raises(BadFile, match="the first in record 2") as refused:
        domains(tmp_path, ("job",), hierarchies={"job": str(tmp_path / "jobs.csv")})
    assert "nurse" not in str(refused.value)


def test_a_number_or_date_that_is_missing_is_a_value_of_its_own_before_all_others(tmp_path: Path) -> None:
    text = "age,born\n30,2000-01-02\n,1999-05-06\n20,\n"
    found = domains(tmp_path, ("age", "born"), text)
    assert [domain.values for domain in found.domains] == [(None, "20", "30"), (None, "1999-05-06", "2000-01-02")]
    assert found.codes.tolist() == [[2, 2], [0, 1], [1, 0]]
    assert all(attribute.has_missing for attribute in found.attributes)
    assert found.attributes[0].numbers[1:].tolist() == [20, 30]
    assert domains(tmp_path, ("age",), text, nominal=("age",)).domains[0].values == ("20", "30", None)


@pytest.mark.parametrize("value", ["inf", "nan", "-inf"])
def test_a_number_that_is_not_finite_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(BadFile, match="1 record whose number or date in 'age' is not finite"):
        domains(tmp_path, ("age",), f"age,x\n30.5,1\n{value},2\n20,3\n")


def test_the_quasi_identifiers_are_generalized_unless_others_are_asked_for(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        roles = Roles(identifiers=("zip",), quasi_identifiers=("age", "job"))
        assert generalized_attributes(found, roles, (), Generalizing()) == ("age", "job")
        assert generalized_attributes(found, roles, ("born",), Generalizing()) == ("born",)
        for asked, given in ((("zip",), roles), ((), Roles()), (("none",), roles)):
            with pytest.raises(BadInput):
                generalized_attributes(found, given, asked, Generalizing())
        for wrong in ({"weights": {"age": 0}}, {"weights": {"zip": 1}}, {"nominal": ("born",)}):
            with pytest.raises(BadInput):
                generalized_attributes(found, roles, (), Generalizing(**wrong))  # type: ignore[arg-type]
