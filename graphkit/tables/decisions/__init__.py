"""Decisions: rules, what may be released, what could be released instead."""
