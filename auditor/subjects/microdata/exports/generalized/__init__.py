"""Exports of generalized records: each hides among the k that its released values stand for."""
