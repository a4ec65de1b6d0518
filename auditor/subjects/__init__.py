"""Kinds of subjects, one folder each; auditor/core/kinds.py registers them."""
