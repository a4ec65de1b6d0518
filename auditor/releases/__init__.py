"""What goes out of a table: requests for marginals, decided with all that is out, recorded, then answered."""

from auditor.releases.request import RequestAnswer, answer_request

__all__ = ["RequestAnswer", "answer_request"]
