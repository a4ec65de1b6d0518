"""The web service: an API for programs, pages for people, and who may do what with either."""
