"""The face of the second edition, assembled from the parts in the folders beside this module."""

from client.games.second_edition.boxes.inventory import inventory
from client.games.second_edition.boxes.monsters import monster_rows
from client.games.second_edition.boxes.readings import objective, signs
from client.games.second_edition.corrections import corrections, monster_named
from client.games.second_edition.counting import COUNTING
from client.games.second_edition.keys import MONSTERS, OBJECTIVE
from client.games.second_edition.lessons import LESSONS
from client.games.second_edition.moment import moment_of
from client.games.second_edition.odds import odds
from client.games.second_edition.panes.board import whole_map
from client.games.second_edition.panes.layout import MapLayout
from client.games.second_edition.panes.starting import starting_grid
from client.games.second_edition.speaker import spaces_named
from client.games.second_edition.tellers import SILENT, TELLERS
from client.games.second_edition.ways import way_back
from client.keymap.keys import Action
from client.plugs.face import ANY_ROLE, BoardReading, GameFace, ListReading, TextReading
from client.widgets.answering import Listing
from protocol.games.second_edition import events as se

READINGS = (
    ListReading(Action.CARDS, "box.inventory", inventory, "box.nothing", is_hinted=True),
    ListReading(MONSTERS, "box.monsters", monster_rows, "box.no_monsters"),
    TextReading(OBJECTIVE, "box.objective", objective, is_hinted=True),
    BoardReading(Action.WHOLE_MAP, whole_map),
)
"""Readings for everybody, because all players have the same role."""

MOMENTS = (
    *(se.BecameWounded, se.BecameInsane, se.InvestigatorEliminated, se.GameEnded),
    *(se.MonsterSpawned, se.MonsterDiscarded, se.CluesGained, se.PossessionGained),
    *(se.ConditionGained, se.ConditionFlipped, se.StoryVotesShown, se.ObjectiveSet),
)
"""Events that people look for in a replay: wounds, deaths, spawns, finds, votes, objectives."""


def _plain() -> object:
    # Nobody but plain mode needs it.
    from client.games.second_edition.plain.game import PLAIN  # noqa: PLC0415

    return PLAIN


def _plain_commands() -> object:
    from client.games.second_edition.plain.game import COMMANDS  # noqa: PLC0415 (the same)

    return COMMANDS


FACE = GameFace(
    "second_edition",
    tellers=TELLERS,
    silent=SILENT,
    moment=moment_of,
    layout={ANY_ROLE: MapLayout},
    readings={ANY_ROLE: READINGS},
    characters="box.investigators",
    names=monster_named,
    spaces=spaces_named,
    listing=Listing(("move", "look", "fight", "free", "use", "", "risk")),
    risks=frozenset({"risk"}),
    free=frozenset({"free"}),
    binding=frozenset({"move", "fight", "free", "use"}),
    way_back=way_back,
    grid=starting_grid,
    signs=signs,
    moments=MOMENTS,
    turns=(se.PhaseBegan, se.TurnBegan),
    odds=odds,
    counting=COUNTING,
    corrections=corrections,
    lessons={ANY_ROLE: LESSONS},
    plain=_plain,
    plain_commands=_plain_commands,
)
