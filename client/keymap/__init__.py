"""Keys: what each key does, and how keys are named."""
