"""Pages about files of records: audits, and releases in two editions."""
