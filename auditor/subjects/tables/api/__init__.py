"""Tables and requests in the API."""
