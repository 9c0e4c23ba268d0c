"""The keys that the first edition adds to those of any game."""

from client.keymap.keys import AT_TABLE, Action, bind

OBJECTIVE = Action("objective", after=Action.CARDS)
MONSTERS = Action("monsters", after=Action.JOURNAL)

BINDINGS = (
    bind(OBJECTIVE, "o", within=AT_TABLE),
    bind(MONSTERS, "m", within=AT_TABLE),
)
