"""Networks and their exports in the API."""
