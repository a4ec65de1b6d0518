"""What goes out of a table: requests for marginals, decided with all that is out, recorded, then answered."""

from auditor.releases.approving import ApprovedRequest, approve_request
from auditor.releases.recording import RequestAnswer
from auditor.releases.request import answer_request

__all__ = ["ApprovedRequest", "RequestAnswer", "answer_request", "approve_request"]
