"""The checksum of a table: of what it says, not of how it was written down."""

from __future__ import annotations

import numpy as np
import pytest

from auditor.core.errors import BadInput
from auditor.formats.tables import table_checksum
from auditor.formats.tables.checksum import variable_checksums
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable

A, B = Variable("a", ("x", "y")), Variable("b", ("u", "v", "w"))
COUNTS = np.array([[1, 0, 2], [3, 4, 0]])
BASE = ContingencyTable.from_dense(COUNTS, (A, B))


def test_the_order_of_variables_and_categories_does_not_change_it() -> None:
    turned = ContingencyTable.from_dense(
        COUNTS[::-1, [2, 0, 1]].T, (Variable("b", ("w", "u", "v")), Variable("a", ("y", "x")))
    )
    assert table_checksum(turned) == table_checksum(BASE)
    assert variable_checksums(turned) == variable_checksums(BASE)[::-1]


@pytest.mark.parametrize(
    "other",
    [
        ContingencyTable.from_dense(COUNTS + 1, (A, B)),
        ContingencyTable.from_dense(COUNTS, (Variable("c", A.categories), B)),
        ContingencyTable.from_dense(COUNTS, (Variable("a", ("x", "z")), B)),
        ContingencyTable.from_dense(COUNTS[::-1], (A, B)),
        ContingencyTable.from_dense(np.vstack([COUNTS, [0, 0, 0]]), (Variable("a", ("x", "y", "z")), B)),
        BASE.marginal(["a"]),
    ],
)
def test_every_difference_of_content_changes_it(other: ContingencyTable) -> None:
    assert table_checksum(other) != table_checksum(BASE)


def test_a_category_without_a_count_does_not_hide_the_same_people() -> None:
    more = ContingencyTable.from_dense(np.vstack([COUNTS, [0, 0, 0]]), (Variable("a", ("x", "y", "z")), B))
    assert variable_checksums(more) == variable_checksums(BASE)
    assert variable_checksums(BASE.marginal(["b"])) == variable_checksums(BASE)[1:]


def test_names_must_be_text() -> None:
    with pytest.raises(BadInput):
        table_checksum(ContingencyTable.from_dense([1], [Variable("a", ("\ud800",))]))
