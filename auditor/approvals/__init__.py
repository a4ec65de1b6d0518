"""Approvals: what awaits a second person, approved, rejected or withdrawn."""
