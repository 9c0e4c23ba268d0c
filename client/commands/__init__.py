"""The player's commands, each with the options it has."""
