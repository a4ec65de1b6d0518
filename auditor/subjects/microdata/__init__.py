"""Files of records: a kind of subject."""
