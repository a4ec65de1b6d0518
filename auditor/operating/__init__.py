"""Running the service: logs, metrics, health, and what is deleted after a while; see docs/operations.md."""
