"""What `auditor schedule add` asks of the exports that a schedule is to make."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.core.errors import BadInput
from auditor.core.subject import split_subject

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.policy import Policy


def protected_place(subjects: Sequence[str], policy: Policy, k: int | None, out: Path | None) -> Path | None:
    """Return where exports of a schedule go, from anywhere; None where it makes none.

    Raises
    ------
    BadInput
        If one of k and place is missing, it is not about one network, the policy asks for more, or nothing could be
        written there.
    """
    from auditor.exports.destination import Destination, check_network_destination
    from auditor.schedules.protecting import dated_path

    if k is None and out is None:
        return None
    if k is None or out is None:
        raise BadInput("--protect-k and --out belong together: the k, and where the exports go")
    if len(subjects) != 1 or split_subject(subjects[0])[0] != "network":
        raise BadInput("--protect-k is for a schedule of one network; add a schedule for each")
    if k < policy.network.k:
        raise BadInput(f"the policy requires k = {policy.network.k} (network.k); --protect-k {k} is less")
    check_network_destination(Destination(dated_path(out.absolute(), datetime.now(UTC))))
    return out.absolute()
