"""What a bound may cost."""

from graphkit.budget import Budget
from graphkit.effort import SECOND
from graphkit.microdata.generalization.stratum import BOUND_SHARE, proving_units


def test_a_bound_takes_a_share_of_the_work_and_of_the_time() -> None:
    assert proving_units(20 * SECOND, Budget()) == 20 * SECOND // BOUND_SHARE
    assert proving_units(20 * SECOND, Budget(lambda: 0.0, 2.0)) == 2 * SECOND // BOUND_SHARE
    assert proving_units(20 * SECOND, Budget(lambda: 0.0, 1e-9)) == 1
