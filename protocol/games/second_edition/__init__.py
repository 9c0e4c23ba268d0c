"""The table of the second edition and the events that change it. The rules are in `server`."""
