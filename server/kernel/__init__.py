"""The kernel: rooms as event logs, questions, chance that can be checked. Knows no rules."""
