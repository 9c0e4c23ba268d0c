"""The family of steps."""


class Step:
    """One thing that an effect does."""


Effect = tuple[Step, ...]
