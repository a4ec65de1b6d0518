"""Settings: what the store keeps for a while only."""

from pydantic import Field

from auditor.config.section import Section


class RetentionSettings(Section):
    """How long the store keeps what is of no use any more; the ledger, audits and decisions are kept for ever.

    Parameters
    ----------
    sent_messages_days : int
        Messages that arrived; 0 keeps them for ever.
    done_ticks_days : int
        Due times of schedules whose audits were made; their audits stay. 0 keeps them for ever.
    """

    sent_messages_days: int = Field(default=30, ge=0, le=36_500)
    done_ticks_days: int = Field(default=400, ge=0, le=36_500)
