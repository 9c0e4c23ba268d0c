"""How a player who is alone comes to a table: by `manse solo`, or by `manse tutorial`."""
