"""The table of the first edition and the events that change it. The rules are in `server`."""
