"""The player's commands and their options."""
