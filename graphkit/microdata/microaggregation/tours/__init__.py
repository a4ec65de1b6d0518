"""Microaggregation along tours: records near each other follow each other, and the best cuts are found exactly."""
