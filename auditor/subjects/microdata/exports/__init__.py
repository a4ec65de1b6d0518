"""Protected files of records: made, verified after they were written, and only then published."""
