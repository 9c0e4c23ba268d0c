"""The face of the first edition, assembled from the parts in the folders beside this module."""

from client.games.first_edition.boxes.inventory import inventory
from client.games.first_edition.boxes.monsters import monster_rows
from client.games.first_edition.boxes.readings import objective, signs
from client.games.first_edition.counting import COUNTING
from client.games.first_edition.keys import MONSTERS, OBJECTIVE
from client.games.first_edition.lessons import INVESTIGATORS, KEEPERS
from client.games.first_edition.moment import moment_of
from client.games.first_edition.odds import odds
from client.games.first_edition.panes.board import whole_map
from client.games.first_edition.panes.layout import MapLayout
from client.games.first_edition.sides import side_of
from client.games.first_edition.speaker import piece_named, spaces_named
from client.games.first_edition.tellers import SILENT, TELLERS
from client.games.first_edition.ways import way_back
from client.keymap.keys import Action
from client.plugs.face import ANY_ROLE, BoardReading, GameFace, ListReading, TextReading
from client.widgets.answering import Listing
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, RULESET

_BOARD = BoardReading(Action.WHOLE_MAP, whole_map)
_MONSTERS = ListReading(MONSTERS, "box.monsters", monster_rows, "box.no_monsters")

READINGS = (
    ListReading(Action.CARDS, "box.inventory", inventory, "box.nothing", is_hinted=True),
    _MONSTERS,
    TextReading(OBJECTIVE, "box.clues_and_clock", objective, is_hinted=True),
    _BOARD,
)
"""Readings of investigators and spectators."""
KEEPERS_READINGS = (
    ListReading(Action.CARDS, "box.inventory", inventory, "box.nothing", is_hinted=True),
    _MONSTERS,
    TextReading(OBJECTIVE, "box.keeper_guide", objective, is_hinted=True),
    _BOARD,
)
"""Readings of the keeper: the same keys, with what only the keeper knows."""

GROUPS = (
    *("mythos", "trauma", "keeper", "puzzle"),
    *("move", "look", "fight", "roll", "use", "free", "", "rest"),
)
"""Groups of choices: those of the keeper, of a puzzle, and of a turn."""

MOMENTS = (
    *(fe.InvestigatorKilled, fe.TraumaPlayed, fe.MythosPlayed, fe.MythosLaidDown),
    *(fe.MonsterPlaced, fe.MonsterKilled, fe.ClueFound, fe.ItemGained),
    *(fe.TaleTold, fe.AllyGone, fe.StoryCardShown, fe.PitTriggered),
    *(fe.EventResolved, fe.ObjectiveRevealed, fe.GameEnded),
)
"""Events that people look for in a replay: deaths, strikes, monsters, finds, events."""


def _plain() -> object:
    # Nobody but plain mode needs it.
    from client.games.first_edition.plain.game import PLAIN  # noqa: PLC0415

    return PLAIN


def _plain_commands() -> object:
    from client.games.first_edition.plain.game import COMMANDS  # noqa: PLC0415 (the same)

    return COMMANDS


FACE = GameFace(
    RULESET,
    tellers=TELLERS,
    silent=SILENT,
    moment=moment_of,
    layout={ANY_ROLE: MapLayout},
    readings={ANY_ROLE: READINGS, KEEPER: KEEPERS_READINGS},
    characters="box.investigators",
    names=piece_named,
    spaces=spaces_named,
    listing=Listing(GROUPS),
    binding=frozenset({"trauma"}),
    way_back=way_back,
    signs=signs,
    tells_interruptions=True,
    moments=MOMENTS,
    turns=(fe.RoundBegan, fe.TurnBegan, fe.KeeperStepBegan),
    side=side_of,
    odds=odds,
    counting=COUNTING,
    lessons={KEEPER: KEEPERS, INVESTIGATOR: INVESTIGATORS},
    plain=_plain,
    plain_commands=_plain_commands,
)
