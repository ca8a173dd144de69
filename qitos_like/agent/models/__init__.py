"""Models of providers, each a thin class over the official SDK, which is an extra."""
