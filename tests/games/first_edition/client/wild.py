"""
An evening by a mere, laid by hand: all that only outdoor stories have, on one table.

The events are chosen for what they show on a screen; rules might not allow them. One player leads
both investigators.
"""

import functools

import attrs

from protocol.boards.links import Link
from protocol.boards.maps import CornerTile
from protocol.common import events
from protocol.common.asks import Choice, Point, Question
from protocol.common.events import Player
from protocol.common.table import LOG_VERSION, Settings
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.puzzles import Family, Piece, Puzzle
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    PIT_SUPPLY,
    KeeperAction,
    KeeperStep,
    MonsterBack,
    WeaponFacts,
    story_deck,
)
from protocol.games.first_edition.words import (
    INVESTIGATOR,
    KEEPER,
    RULESET,
    AttackKind,
    Attribute,
    FeatureKind,
    Keyword,
    MonsterClass,
    StoryDeck,
    TaleKind,
    TestKind,
)
from tests.games.first_edition.client.kit import ADA, ANN, KIM, REED, ROOM, Night, deal, game_of
from tests.games.first_edition.client.kit import opened as opened_of

TOBIAS, HARROW = "ally/ferryman", "ally/widow"
MERE = (
    "+--------------+----------------------+--------------+",
    "|              :                      :              |",
    "|      a       :          c           :      g       |",
    "|              :                      :              |",
    "+..............+~~~~~~~+......+~~~~~~~+~~~~~~~~~~~~~~+",
    "|              !       |      |       !              |",
    "|      b       !   d   |  e   |   h   !      k       |",
    "|              !       |      |       !              |",
    "+--------------+~~~~~~~+......+~~~~~~~+..............+",
    "|              |                      :              |",
    "|      f       =          m           :      n       |",
    "|              |                      :              |",
    "+--------------+----------------------+--------------+",
)
ROOMS = (
    *(("a", "room/meadow"), ("b", "room/meadow"), ("c", "room/road"), ("d", "room/mere")),
    *(("e", "room/bridge"), ("f", "room/boathouse"), ("g", "room/wood"), ("h", "room/mere")),
    *(("k", "room/landing"), ("m", "room/yard"), ("n", "room/landing")),
)
OUTDOOR = tuple(f"room/{one}" for one in ("meadow", "road", "wood", "mere", "landing", "yard"))
RITUAL = Puzzle("puzzle/ritual", Family.ORDER, 2, 3, tuple(map(Piece, "cabfed")))


def mere() -> CornerTile:
    return CornerTile("mere", 0, 0, MERE, ROOMS)


def playing() -> Night:
    """Return the evening in its second round, in the turn of the first investigator."""
    return attrs.evolve(_played(), stored=[*_played().stored], records=[*_played().records])


@functools.cache
def _played() -> Night:
    night = _set_up()
    game = game_of(night)
    mania, delusion = (
        game.piles[story_deck(one)][0] for one in (StoryDeck.MANIA, StoryDeck.DELUSION)
    )
    night.emit(
        fe.RoundBegan(1),
        fe.TurnBegan(ADA, 2),
        fe.Moved(ADA, "mere/c"),
        fe.ActionTaken(ADA, "run"),
        fe.StoryCardDealt(StoryDeck.MANIA, ADA, mania, (KIM, ANN), hidden("mania/lids")),
        fe.TurnEnded(ANN),
        fe.TurnBegan(REED, 2),
        fe.Moved(REED, "mere/e"),
        fe.TurnEnded(ANN),
        fe.KeeperStepBegan(KeeperStep.TRADE),
        fe.ItemGiven(ADA, TOBIAS, "i1"),
        fe.KeeperStepBegan(KeeperStep.ALLIES),
        fe.TaleTold(
            TOBIAS, opened_of(night, game.tales[TOBIAS][0]), "tale/oars", TaleKind.RUMOUR, None
        ),
        fe.Moved(HARROW, "mere/m"),
        fe.StoryCardDealt(StoryDeck.DELUSION, HARROW, delusion, (KIM,), hidden("delusion/bells")),
        fe.Cursed(ADA, 1),
        fe.Cursed(ADA, 1),
        fe.Cursed(HARROW, 1),
        fe.HarmTaken(HARROW, 1, 2),
        fe.Stunned(TOBIAS, 1),
        fe.KeeperStepBegan(KeeperStep.ACTIONS),
        fe.ActionShown(opened_of(night, game.hidden_actions[0]), KeeperAction("action/smother", 2)),
        fe.KeeperActed("action/smother"),
        fe.RoundBegan(2),
        fe.TurnBegan(ADA, 2),
        fe.StepSpent(ADA),
        fe.Moved(ADA, "mere/b"),
        fe.PitTriggered((ADA,), "f1", game.features["f1"].handle or "", "pit/deep", 1, True),
        fe.HarmTaken(ADA, 1, 0),
        fe.PitPlaced("mere/b", game.piles[PIT_SUPPLY][0]),
        fe.PitReturned("f1"),
    )
    return night


def _set_up() -> Night:
    night = Night()
    settings = Settings(spectators=True)
    night.emit(
        events.RoomOpened(
            ROOM, RULESET, "manor/mere", b"h" * 32, settings, LOG_VERSION, source=None
        )
    )
    for seat, name in ((KIM, "Kim"), (ANN, "Ann")):
        night.emit(events.SeatTaken(seat, name, name.encode() * 16, is_bot=False), origin=seat)
        night.emit(events.PresenceChanged(seat, is_present=True), origin=seat)
    night.emit(
        events.GameStarted((Player(KIM, KEEPER, ()), Player(ANN, INVESTIGATOR, (ADA, REED)))),
        fe.VariantsAgreed(()),
        fe.BoardLaid((mere(),), (Link("under", ("mere/d", "mere/h")),), "mere/a", 8),
        fe.LandLaid(OUTDOOR, ("mere/d", "mere/h")),
    )
    deal(night, PIT_SUPPLY, ("pit/deep", "pit/shallow", "pit/deep", "pit/shallow"))
    first, second, *_ = game_of(night).piles[PIT_SUPPLY]
    night.emit(
        fe.PitPlaced("mere/b", first),
        fe.PitPlaced("mere/n", second),
        fe.FeaturePlaced(FeatureKind.BOAT, "mere/h"),
        fe.FeaturePlaced(FeatureKind.CAMPFIRE, "mere/c"),
        fe.KeeperEquipped(3, 0, (KeeperAction("action/creep", 1),), {}, 3),
        *(
            fe.ActionLaid(KEEPER, hidden(one))
            for one in (
                KeeperAction("action/smother", 2),
                KeeperAction("action/summon", 3, is_once=True),
                KeeperAction("action/flood", 1),
            )
        ),
    )
    for monster, class_, space, back in (
        ("monster/heron", MonsterClass.BEAST, "mere/d", "back/beak"),
        ("monster/tallyman", MonsterClass.HUMANOID, "mere/n", "back/tally"),
    ):
        token = hidden(MonsterBack(back, 4, 2))
        night.emit(
            fe.MonsterPlaced(
                monster,
                1,
                class_,
                -1,
                -1,
                space,
                is_named=False,
                is_large=False,
                role=KEEPER,
                back=token,
            )
        )
    night.emit(
        fe.MonsterFlies("m1"),
        fe.AnswersGiven(KEEPER, hidden({})),
        fe.VoteCounted(INVESTIGATOR, hidden({"why": "flood"})),
        fe.ObjectiveSet(INVESTIGATOR, hidden("objective/flood")),
        fe.CardLaid(KEEPER, "room/boathouse", hidden("item/lamp")),
        fe.CardLaid(KEEPER, "room/wood", hidden("clue/bell")),
    )
    for event in ("event/rain", "event/knock"):
        night.emit(fe.EventLaid(KEEPER, hidden(event)))
    night.emit(fe.EventFaced(3))
    for kind, card in (
        (StoryDeck.TRAIL, "trail/reeds"),
        (StoryDeck.MANIA, "mania/lids"),
        (StoryDeck.DELUSION, "delusion/bells"),
    ):
        deal(night, story_deck(kind), (card,) * 3)
    trail = game_of(night).piles[story_deck(StoryDeck.TRAIL)][0]
    night.emit(
        fe.StoryCardDealt(StoryDeck.TRAIL, "room/wood", trail, (KIM,), hidden("trail/reeds"))
    )
    for tale in ("tale/oars", "tale/lamp", "tale/debt"):
        night.emit(fe.TaleLaid("", TOBIAS, hidden(tale)))
    attributes = dict(zip(Attribute, (3, 2, 3, 4, 5, 4, 2), strict=True))
    night.emit(
        fe.AllyPlaced(TOBIAS, 5, 4, attributes, AttackKind.BLUNT, 1, "mere/c"),
        fe.AllyPlaced(HARROW, 3, 3, attributes, AttackKind.UNARMED, 2, "mere/f"),
    )
    traits = {ADA: ("trait/diver", "trait/stubborn"), REED: ("trait/patient",)}
    for who in (ADA, REED):
        own = dict(zip(Attribute, (4, 3, 5, 3, 4, 3, 2), strict=True))
        night.emit(fe.InvestigatorJoined(who, ANN, 7, 5, 2, traits[who], own))
    weapon = WeaponFacts(AttackKind.BLADED, 0, 1, 0)
    night.emit(
        fe.ItemGained(ADA, "item/knife", (Keyword.WEAPON,), weapon),
        fe.ItemGained(REED, "item/lantern", (Keyword.LANTERN,), None),
        fe.Told(Text("story/mere")),
        fe.ToldKeeper(INVESTIGATOR, hidden(Text("guide/flood"))),
        fe.ToldKeeper(KEEPER, hidden(Text("guide/mere"))),
    )
    deal(night, MYTHOS_HAND, ("mythos/draught", "mythos/hand"))
    return night


def stepping() -> Night:
    """Return the evening while the player decides on a step."""
    night = playing()
    part = Text("name/part", ("room/meadow", 1))
    choices = (
        Choice("1.0", Text("choice/move", (part,)), (Point("space", "mere/a"),), "move"),
        Choice(
            "1.1",
            Text("choice/attack", ("monster/heron",)),
            (Point("monster", "m1"),),
            "fight",
        ),
        Choice("1.2", Text("choice/end_turn"), group="rest", ends=True),
    )
    about = Text("about/turn", (ADA,))
    night.ask({ANN: Question(Text("ask/step", (ADA,)), choices)}, about=about, rule="K-TURN-1")
    return night


def talking() -> Night:
    """Return the evening while the player chooses among allies."""
    night = playing()
    choices = tuple(
        Choice(f"1.{at}", Text(ally, field="name"), (Point("investigator", ally),), "use")
        for at, ally in enumerate((TOBIAS, HARROW))
    )
    night.emit(fe.TurnEnded(ANN), fe.KeeperStepBegan(KeeperStep.ALLIES))
    about = Text("about/keeper")
    night.ask({ANN: Question(Text("ask/step", (ADA,)), choices)}, about=about, rule="W-DECIDE-20")
    return night


def rolled() -> Night:
    """Return the evening while the keeper may use a curse on a roll."""
    night = playing()
    about = Text("about/combat", ("monster/heron",))
    night.emit(
        fe.TestDeclared(ADA, Attribute.STRENGTH, TestKind.COMBAT, 4, about),
        fe.TestRolled(ADA, 3),
    )
    choices = (
        Choice("1.0", Text("choice/no_curse"), group="rest", ends=True),
        Choice("1.1", Text("choice/curse", (ADA,)), group="use"),
    )
    question = Question(Text("ask/curse", (ADA, 3)), choices)
    night.ask({KIM: question}, about=about, rule="W-CURSE-3")
    return night


def declared() -> Night:
    """Return the evening while a cursed ally tests, and the keeper may have it fail."""
    night = playing()
    about = Text("about/combat", ("monster/heron",))
    night.emit(fe.TestDeclared(HARROW, Attribute.STRENGTH, TestKind.COMBAT, 3, about))
    choices = (
        Choice("1.0", Text("choice/no_curse"), group="rest", ends=True),
        Choice("1.1", Text("choice/curse_ally", (HARROW,)), group="use"),
    )
    question = Question(Text("ask/curse_ally", (HARROW,)), choices)
    night.ask({KIM: question}, about=about, rule="W-DECIDE-24")
    return night


def ritual() -> Night:
    """Return the evening while the keeper tries the puzzle of a ritual."""
    night = playing()
    night.emit(
        fe.TurnEnded(ANN),
        fe.KeeperStepBegan(KeeperStep.ACTIONS),
        fe.PuzzleLaid(RITUAL),
        fe.PuzzleAttemptBegan(KEEPER, RITUAL.puzzle_id, 3),
    )
    choices = (
        Choice("1.0", Text("choice/puzzle_turn_right", (1,)), (Point("piece", "0"),), "puzzle"),
        Choice("1.1", Text("choice/puzzle_leave"), group="rest", ends=True),
    )
    about = Text("about/puzzle", (KEEPER, RITUAL.puzzle_id))
    question = Question(Text("ask/puzzle", (RITUAL.puzzle_id, 3)), choices)
    night.ask({KIM: question}, about=about, rule="W-STORY-8")
    return night


def happening() -> Night:
    """Return the evening after every kind of event that only the outdoors has."""
    night = rolled()
    game = game_of(night)
    night.emit(
        fe.CurseUsed(ADA),
        fe.TestRolled(ADA, 8),
        fe.TestEnded(ADA, is_passed=False),
        fe.TestDeclared(HARROW, Attribute.LORE, TestKind.CARD, 4, Text("about/turn", (ADA,))),
        fe.CurseUsed(HARROW),
        fe.TestEnded(HARROW, is_passed=False),
        fe.Cursed(ADA, -1),
        fe.ActionGained(ADA, ()),
        fe.ActionGained(ADA, ("attack", "run")),
        fe.FeatureMoved("f3", "mere/d"),
        fe.PitTriggered(
            ("m2", REED), "f2", game.features["f2"].handle or "", "pit/shallow", 2, False
        ),
        fe.Attacked(TOBIAS, "m2", ""),
        fe.Attacked(TOBIAS, "m2", "item/knife"),
        fe.MonsterAttacked("m2", TOBIAS),
        fe.WeaponUsed(TOBIAS, "i1"),
        fe.ItemGiven(TOBIAS, REED, "i1"),
        fe.ItemGiven(REED, TOBIAS, "i1"),
        fe.ItemDropped(TOBIAS, "i1", "room/road"),
        fe.HarmTaken(HARROW, 0, 1),
        fe.HarmTaken(HARROW, 0, -1),
        fe.AllyPlaced("ally/child", 2, 2, {}, AttackKind.UNARMED, 1, "mere/g"),
        fe.StoryCardShown(2, game.story_cards[2].handle, "mania/lids"),
        fe.StoryCardGone(2),
        fe.StoryCardGone(3),
        fe.StoryCardShown(1, game.story_cards[1].handle, "trail/reeds"),
        fe.AllyGone(HARROW, is_killed=True),
        fe.AllyGone(TOBIAS, is_killed=False),
        fe.PuzzleLaid(RITUAL),
        fe.PuzzleAttemptBegan(KEEPER, RITUAL.puzzle_id, 3),
        fe.ToldKeeper(INVESTIGATOR, hidden(Text("guide/flood"))),
    )
    return night
