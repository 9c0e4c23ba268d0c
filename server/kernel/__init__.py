"""The kernel: rooms, their logs, questions to seats and verifiable chance. It knows no rules."""
