"""What the page about a generalized file shows to everybody: made from the claim and the file's digests alone.

No loss and no distribution is shown: both are about domains, and a domain is that of the original.
"""

from typing import Any

from auditor.reports.names import readable
from auditor.subjects.microdata.exports.generalized.claim_record import claim_of
from auditor.subjects.microdata.exports.generalized.notation import notation_of
from auditor.subjects.microdata.report.generalized_page import STANDS
from auditor.subjects.microdata.report.public_page import PublicRelease, common_parts
from graphkit.microdata.verify_freeform import WHICH_TEST_COUNTS
from graphkit.numbers import count


def public_generalized_page(release: PublicRelease) -> dict[str, Any]:
    """Return what the public template of generalized files shows."""
    claim = claim_of(release.claim)
    return {
        **common_parts(release, f"Every person may be any of at least {count(claim.k)} records"),
        "claim": claim,
        "meaning": f"k = {count(claim.k)} means: whoever knows these attributes of a person finds at least "
        f"{count(claim.k)} records that may be the person's, and cannot tell which one is.",
        "attributes": [(readable(name), STANDS[claim.sorts[name]]) for name in claim.attributes],
        "notation": list(notation_of(claim.sorts).items()),
        "test": WHICH_TEST_COUNTS,
    }
