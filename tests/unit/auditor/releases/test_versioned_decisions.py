"""Decisions about a table whose variables changed, against all tables that fit what is out of both versions."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st

from auditor.policy import Policy
from auditor.subjects.tables.policy import TablePolicy
from auditor.subjects.tables.releases.deciding import Decider
from auditor.subjects.tables.stored.history import VersionHistory
from auditor.subjects.tables.stored.layout import variables_text
from auditor.subjects.tables.stored.marginals import StoredMarginal
from auditor.subjects.tables.stored.releases import TableState
from auditor.subjects.tables.stored.rows import TableRow
from graphkit.tables.hierarchies.recoding import RecodedMarginal
from tests.support.disclosure_rules import keeps_the_rules
from tests.support.versioned_tables import TinyVersions, tiny_versions

AT = datetime(2026, 1, 1, tzinfo=UTC)
POLICIES = st.builds(
    TablePolicy,
    sensitive=st.sampled_from(["small", "all"]),
    threshold=st.integers(2, 3),
    min_width=st.integers(1, 3),
    hide_small=st.booleans(),
    min_values=st.sampled_from([0, 2, 3]),
)


def released(marginal: RecodedMarginal) -> StoredMarginal:
    nothing = np.empty(0, dtype=np.int64)
    return StoredMarginal(marginal.axes, "released", AT, nothing, nothing, groupings=marginal.groupings)


def state_of(case: TinyVersions) -> TableState:
    row = TableRow("t", "p/2", "p", 2, 1, variables_text(case.variables(2)), "")
    out = {
        number: tuple(released(marginal) for marginal in {f.marginal for f in case.facts if f.version == number})
        for number in (1, 2)
    }
    history = (
        VersionHistory("p/1", 1, case.variables(1), out[1], case.table(1)),
        VersionHistory("p/2", 2, case.variables(2), out[2], None, {1: case.links}),
    )
    return TableState(row, case.table(2), case.requested, history, None, None, None)


@settings(deadline=None, max_examples=150)
@given(tiny_versions(), POLICIES)
def test_what_follows_translated_history_is_safe_for_whoever_knows_both(
    case: TinyVersions | None, policy: TablePolicy
) -> None:
    assume(case is not None)
    assert case is not None
    decider = Decider(state_of(case), Policy(table=policy), lambda: 0.0)
    decision = decider.decide(case.requested)
    rules = policy.rules()
    safe = {number: keeps_the_rules(case.table(number), case.possible(number), rules) for number in (1, 2)}
    event(f"{decision.answer}, {'exact' if decider.is_exact else 'both sides'}")
    if decision.answer == "release":
        assert safe[2]
        # a version whose cells are made of the present ones is only held against what is proven there
        assert safe[1] or decider._history.versions.follows(1, 2)
    elif decision.answer == "refuse":
        assert not all(safe.values())
