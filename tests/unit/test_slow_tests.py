"""The list of slow tests: how it is made, and that what it names is there."""

from pathlib import Path

from tests.support.slow_tests import LIST, names_in, slow_in

ROOT = Path(__file__).parents[2]


def test_what_the_list_names_is_there() -> None:
    for name in names_in(ROOT / "tests" / LIST):
        path, _, test = name.partition("::")
        text = (ROOT / path).read_text(encoding="utf-8")
        assert test.partition("[")[0].rpartition(".")[2] in text, name


def test_tests_that_take_long_are_found_in_a_log() -> None:
    log = (
        "== slowest ==\n3.00s call     tests/a.py::test_b[c d]\n9.1s setup    tests/a.py::test_c\n"
        "2.19s call     tests/a.py::test_e\n"
    )
    assert slow_in(log) == ["tests/a.py::test_b[c d]"]
