"""Frames of records: audited, and released protected, in a new order, verified, with their key."""
