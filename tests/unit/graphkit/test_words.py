"""Sets of numbers as machine words, against Python's sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from graphkit.words import next_in, previous_in, put, words_of


@given(st.sets(st.integers(0, 199)), st.integers(0, 199), st.integers(0, 199))
def test_neighbours_in_a_set_are_the_nearest_on_either_side(numbers: set[int], changed: int, at: int) -> None:
    members = words_of(np.array(sorted(numbers), dtype=np.int64), 200)
    for wanted in (True, False, True):
        put(members, changed, wanted)
        present = numbers | {changed} if wanted else numbers - {changed}
        assert next_in(members, at) == min((number for number in present if number > at), default=-1)
        assert previous_in(members, at) == max((number for number in present if number < at), default=-1)
