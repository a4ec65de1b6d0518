"""Log-in at an OpenID provider: authorization code with PKCE, and what is checked of every answer."""
