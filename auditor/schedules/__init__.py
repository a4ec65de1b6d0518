"""Audits at set times: when a schedule is due, and the worker that does what is due."""
