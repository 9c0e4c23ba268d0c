"""The keys that the card game adds to those of any game."""

from client.keymap.keys import AT_TABLE, Action, bind

OBJECTIVE = Action("objective", after=Action.CARDS)
LOCATIONS = Action("locations", after=Action.WHOLE_MAP)
BAG = Action("bag", after=Action.JOURNAL)

BINDINGS = (
    bind(OBJECTIVE, "o", within=AT_TABLE),
    bind(LOCATIONS, "m", within=AT_TABLE),
    bind(BAG, "B", within=AT_TABLE),
)
"""Story, locations and chaos bag."""
