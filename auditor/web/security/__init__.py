"""What stands between a request and a route: who asks, may they, is it too much, was it meant."""
