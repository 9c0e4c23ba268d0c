"""Which key means what, and how keys are named."""
