"""The API `/api/v1`: one module a concept, the same objects as `--json`."""
