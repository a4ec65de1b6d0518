"""The disclosure-auditor service: files, store, audits, exports, reports."""

__all__ = ["__version__"]

__version__ = "0.1.0"
