"""The face of the second edition: its parts by name, which live in the folders beside it."""

from client.games.face import ANY_ROLE, BoardReading, GameFace, ListReading, TextReading
from client.games.second_edition.boxes.inventory import inventory
from client.games.second_edition.boxes.monsters import monster_rows
from client.games.second_edition.boxes.readings import objective, signs
from client.games.second_edition.corrections import corrections, monster_named
from client.games.second_edition.moment import moment_of
from client.games.second_edition.panes.layout import MapLayout, WholeMap
from client.games.second_edition.tellers import SILENT, TELLERS
from client.keymap.keys import Action

READINGS = (
    ListReading(Action.CARDS, "box.inventory", inventory, "box.nothing"),
    ListReading(Action.MONSTERS, "box.monsters", monster_rows, "box.no_monsters"),
    TextReading(Action.OBJECTIVE, "box.objective", objective),
    BoardReading(Action.WHOLE_MAP, WholeMap),
)
"""What is read about a game at any time. All play the same role."""

FACE = GameFace(
    "second_edition",
    tellers=TELLERS,
    silent=SILENT,
    moment=moment_of,
    layout={ANY_ROLE: MapLayout},
    readings={ANY_ROLE: READINGS},
    names=monster_named,
    signs=signs,
    corrections=corrections,
)
