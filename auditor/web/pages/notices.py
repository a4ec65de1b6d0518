"""What a page says after something was done: named in its address, never quoted from it."""

from collections.abc import Mapping

NOTICES: Mapping[str, str] = {
    "added": "It is stored.",
    "added-in-doubt": "It is stored, but the file may not hold a network: compare the numbers of vertices and edges "
    "with what you expect. If they are wrong, remove it and upload a file with one tie per line.",
    "removed": "It was removed. Its released marginals and files, and its ledger entries, remain.",
    "declared": "The declaration is recorded in the ledger. It applies to all requests from now on.",
    "waived": "The finding is waived from the next audit until the waiver ends.",
    "waiver-revoked": "The waiver was revoked.",
    "schedule-added": "The schedule is saved. 'auditor schedule run' runs its audits.",
    "paused": "The schedule is paused.",
    "resumed": "The schedule is resumed.",
    "schedule-removed": "The schedule was removed. Its runs and audits remain.",
    "token-revoked": "The token was revoked.",
    "approved": "It was approved and released.",
    "not-approved": "It was not released: the reason is below.",
    "rejected": "It was rejected.",
    "returned": "It was returned. Changed exactly so, it is released with your approval.",
    "commented": "The comment is recorded.",
    "withdrawn": "The request was withdrawn.",
    "taken-over": "You have taken over the request. Another person decides about it.",
}
"""By the word in the address."""
