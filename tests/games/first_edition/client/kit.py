"""A night in six rooms, laid by hand: what lies on the table, and the questions of both roles.

The events are chosen for what they show on a screen; rules might not allow them.
"""

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from client.journal.journal import Journal
from client.locale import load
from client.locale.word_store import WordStore
from client.model.model import ClientModel
from client.model.status import Online
from client.model.tables import TableView
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.appearance import Appearance
from client.settings.preferences import Charset, Preferences
from protocol.boards.links import Link
from protocol.boards.maps import CornerTile
from protocol.common import events
from protocol.common.asks import Choice, Point, Question, RefusedChoice, Settle
from protocol.common.chance import Stream
from protocol.common.events import Disclosure, Player
from protocol.common.table import LOG_VERSION, Settings
from protocol.common.text import Text
from protocol.event import Sealed, hidden, openings_of
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.puzzles import Family, Piece, Puzzle, supply_of
from protocol.games.first_edition.table import (
    MYTHOS_DECK,
    MYTHOS_HAND,
    TRAUMA_HAND,
    CounterLine,
    Ending,
    FirstEditionTable,
    KeeperAction,
    KeeperStep,
    MonsterBack,
    Spell,
    WeaponFacts,
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
    Side,
    TestKind,
    TraumaKind,
    Variant,
)
from tests.games.first_edition.client.words import EN, FR
from tests.games.second_edition.client.scripted import Script
from tests.games.second_edition.client.stage import RecordingPort

ROOM = "room-1"
KIM, ANN, BOB = range(3)
"""Seats of the keeper and of two investigators."""
ADA, REED = "investigator/ada", "investigator/reed"
HOUSE = (
    "+---------------+----------+-----------+",
    "|               |          |           |",
    "|       a       =    c     =     d     |",
    "|               |          |           |",
    "+...............+----==----+-----------+",
    "|       .       |                      |",
    "|   b   .   e   =          f           |",
    "|       .       |                      |",
    "+--==---+-------X----------+-----------+",
    "|               |          |           |",
    "|       g       =    h     =     i     |",
    "|               |          |           |",
    "+---------------+----------+-----------+",
)
ROOMS = (
    *(("a", "room/hall"), ("b", "room/hall"), ("c", "room/pantry"), ("d", "room/scullery")),
    *(("e", "room/hall"), ("f", "room/gallery"), ("g", "room/chapel"), ("h", "room/crypt")),
    ("i", "room/crypt"),
)


def house() -> CornerTile:
    # The dots between b and e are upright lines.
    drawing = tuple(
        line.replace("   .   ", "   :   ") if line.startswith("|") else line for line in HOUSE
    )
    return CornerTile("house", 0, 0, drawing, ROOMS)


class Night(Script):
    """Log of this game that a test extends by hand."""

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that know the secrets of a character or a role."""
        game = self.table.game
        return () if game is None else game.seats_of(self.table.room, knower)


def lobby() -> Night:
    """Return a table with three people in the lobby and no game yet."""
    night = Night()
    settings = Settings(spectators=True)
    night.emit(
        events.RoomOpened(
            ROOM, RULESET, "manor/six-rooms", b"h" * 32, settings, LOG_VERSION, source=None
        )
    )
    for seat, name in enumerate(("Kim", "Ann", "Bob")):
        night.emit(events.SeatTaken(seat, name, name.encode() * 16, is_bot=False), origin=seat)
        night.emit(events.PresenceChanged(seat, is_present=True), origin=seat)
    return night


def playing() -> Night:
    """Return the night in its second round, in Ada's turn."""
    return attrs.evolve(_played(), stored=[*_played().stored], records=[*_played().records])


@functools.cache
def _played() -> Night:
    night = lobby()
    night.emit(
        events.GameStarted(
            (
                Player(KIM, KEEPER, ()),
                Player(ANN, INVESTIGATOR, (ADA,)),
                Player(BOB, INVESTIGATOR, (REED,)),
            )
        )
    )
    _set_up(night)
    _first_round(night)
    _second_round(night)
    return night


def _set_up(night: Night) -> None:
    actions = (
        KeeperAction("action/creep", 1),
        KeeperAction("action/summon", 3, is_once=True),
        KeeperAction("action/smother", 2, (("samples", 1),), is_once=True),
    )
    counters = {"samples": CounterLine(1, 3, is_token=True, name="six-rooms/samples")}
    night.emit(
        fe.VariantsAgreed(()),
        fe.BoardLaid((house(),), (Link("ladder", ("house/c", "house/h")),), "house/a", 8),
        fe.FeaturePlaced(FeatureKind.HIDING_SPOT, "house/b"),
        fe.FeaturePlaced(FeatureKind.BARRICADE, "house/e"),
        fe.FeaturePlaced(FeatureKind.ALTAR, "house/g"),
        fe.FeaturePlaced(FeatureKind.DARKNESS, "room/crypt"),
        fe.KeeperEquipped(2, 0, actions, counters, 3),
        fe.MonsterPlaced(
            "monster/tallyman",
            1,
            MonsterClass.HUMANOID,
            -1,
            -1,
            "house/f",
            is_named=False,
            is_large=False,
            role=KEEPER,
            back=hidden(MonsterBack("back/tally", 3, 2)),
        ),
        fe.AnswersGiven(KEEPER, hidden({"why": "flood", "where": "chapel"})),
        fe.ObjectiveSet(KEEPER, hidden("objective/flood")),
    )
    for room, *cards in (
        ("room/hall", "item/key", "clue/ledger"),
        ("room/pantry", "obstacle/shelf", "item/lamp", "nothing"),
        ("room/gallery", "clue/portrait"),
        ("room/chapel", "clue/bell", "nothing"),
        ("room/crypt", "item/tome"),
    ):
        night.emit(*(fe.CardLaid(KEEPER, room, hidden(card)) for card in cards))
    night.emit(fe.LockLaid(KEEPER, "room/chapel", hidden("lock/chapel")))
    for event in ("event/rain", "event/knock", "event/dawn"):
        night.emit(fe.EventLaid(KEEPER, hidden(event)))
    night.emit(fe.EventFaced(3))
    numbers = (4, 3, 5, 3, 4, 3, 2)
    for who, seat, traits in (
        (ADA, ANN, ("trait/diver", "trait/stubborn")),
        (REED, BOB, ("trait/keeper_of_lamps", "trait/patient")),
    ):
        attributes = dict(zip(Attribute, numbers, strict=True))
        night.emit(fe.InvestigatorJoined(who, seat, 7, 5, 2, traits, attributes))
    weapon = WeaponFacts(AttackKind.BLADED, 0, 1, 0)
    night.emit(
        fe.ItemGained(ADA, "item/knife", (Keyword.WEAPON,), weapon),
        fe.Told(Text("story/prologue")),
        fe.ToldKeeper(KEEPER, hidden(Text("guide/flood"))),
        fe.RoundBegan(1),
    )
    deal(night, MYTHOS_HAND, ("mythos/draught", "mythos/hand"))
    deal(night, TRAUMA_HAND, ("trauma/sprain", "trauma/dread"))


def deal(night: Night, pile: str, cards: Sequence[str]) -> None:
    """Lay a hand of the keeper, or a deck whose order nobody knows."""
    handles = tuple(f"{pile[5:]}.{len(night.stored)}.{at}" for at in range(len(cards)))
    order = hidden(tuple(cards))
    knowers = (KIM,) if pile.startswith("hand/") else ()
    night.emit(events.Shuffled(Stream.PLAY, 0, f"shuffle {pile}", pile, handles, knowers, order))


def game_of(night: Night) -> FirstEditionTable:
    game = night.table.game
    assert isinstance(game, FirstEditionTable)
    return game


def held(night: Night, pile: str, card: str) -> str:
    """Return the handle of a card in a hand."""
    game = game_of(night)
    return next(handle for handle in game.hand(pile) if game.card_of(handle) == card)


def _first_round(night: Night) -> None:
    deal(night, "deck/spell/ward", ("back/ward_holds",) * 2)
    ward = game_of(night).piles["deck/spell/ward"][0]
    night.emit(
        fe.TurnBegan(REED, 2),
        fe.StepSpent(REED),
        fe.Moved(REED, "house/c"),
        fe.ItemGained(REED, "item/lantern", (Keyword.LANTERN,), None),
        fe.SpellGained(REED, Spell("spell/ward", ward, Attribute.LORE, -1, is_attack=False)),
        fe.ActionTaken(REED, "explore"),
        fe.TurnEnded(BOB),
        fe.TurnBegan(ADA, 2),
        fe.ActionTaken(ADA, "explore"),
        fe.ClueFound(ADA, "clue/ledger"),
        fe.CardCleared("room/hall", 2),
        fe.TurnEnded(ANN),
        *(fe.KeeperStepBegan(step) for step in (KeeperStep.TRADE, KeeperStep.STUN)),
        fe.KeeperStepBegan(KeeperStep.THREAT),
        fe.ThreatChanged(2),
        fe.KeeperStepBegan(KeeperStep.ACTIONS),
        fe.KeeperActed("action/creep"),
        fe.TestFixed(REED, is_passed=False, kinds=(TestKind.EVADE, TestKind.FIRE)),
        fe.MonsterMoved("m1", "house/e"),
        fe.TestDeclared(
            ADA,
            Attribute.WILLPOWER,
            TestKind.HORROR,
            3,
            Text("about/horror", ("monster/tallyman",)),
        ),
        fe.TestRolled(ADA, 7),
        fe.TestEnded(ADA, is_passed=False),
        fe.HarmTaken(ADA, 0, 1),
        fe.KeeperStepBegan(KeeperStep.ATTACKS),
        fe.KeeperStepBegan(KeeperStep.EVENT),
        fe.TimeAdded(),
        fe.KeeperStepBegan(KeeperStep.END),
    )


def _second_round(night: Night) -> None:
    two = ("mythos/draught", "mythos/hand", "mythos/whisper")
    night.emit(
        fe.RoundBegan(2),
        fe.MonsterPlaced(
            "monster/hound",
            1,
            MonsterClass.BEAST,
            0,
            -2,
            "house/h",
            is_named=False,
            is_large=False,
            role=KEEPER,
            back=hidden(MonsterBack("back/teeth", 4, 2)),
        ),
        fe.MonsterPlaced(
            "monster/choir",
            1,
            MonsterClass.ELDRITCH,
            1,
            -3,
            "house/g",
            is_named=True,
            is_large=True,
            role=KEEPER,
            back=hidden(MonsterBack("back/hymn", 6, 3)),
        ),
        fe.MonsterHurt("m1", 1),
        fe.MonsterStunned("m2", 1),
        fe.HarmTaken(REED, 3, 0),
        fe.Stunned(REED, 1),
        fe.BarricadeSet("f2", "house/f"),
        fe.FeaturePlaced(FeatureKind.FIRE, "room/scullery"),
    )
    deal(night, MYTHOS_HAND, two)
    sprain, injury = held(night, TRAUMA_HAND, "trauma/sprain"), TraumaKind.INJURY
    night.emit(
        fe.TraumaPlayed(REED, sprain, "trauma/sprain", injury, is_instant=False),
        fe.TurnBegan(ADA, 2),
        fe.StepSpent(ADA),
        fe.Moved(ADA, "house/b"),
    )


# Questions ---------------------------------------------------------------------------------


def _choice(number: int, text: Text, kind: str = "", piece: str = "", group: str = "") -> Choice:
    points = (Point(kind, piece),) if kind else ()
    return Choice(f"1.{number}", text, points, group)


def step_question() -> Question:
    """Return the question that Ada's player is asked in her turn."""
    part = Text("name/part", ("room/hall", 1))
    choices = (
        _choice(0, Text("choice/move", (part,)), "space", "house/a", "move"),
        _choice(1, Text("choice/move", ("room/chapel",)), "space", "house/g", "move"),
        _choice(2, Text("choice/hide"), "feature", "f1", "move"),
        _choice(3, Text("choice/explore"), "room", "room/hall", "look"),
        _choice(4, Text("choice/attack", ("monster/tallyman",)), "monster", "m1", "fight"),
        Choice("1.5", Text("choice/end_turn"), group="rest", ends=True),
    )
    refused = (RefusedChoice(Text("choice/run"), Text("refusal/by_card"), "K-CARD-5"),)
    return Question(Text("ask/step", (ADA,)), choices, refused)


def strike_question(night: Night) -> Question:
    """Return the question that the keeper is asked beside Ada's."""
    choices = tuple(
        Choice(
            f"2.{at}",
            Text("choice/mythos", (card, ADA)),
            (Point("investigator", ADA), Point("card", held(night, MYTHOS_HAND, card))),
            "mythos",
        )
        for at, card in enumerate(("mythos/draught", "mythos/whisper"))
    )
    refused = RefusedChoice(
        Text("choice/mythos", ("mythos/hand", ADA)),
        Text("refusal/condition", ("mythos/hand",)),
        "K-DECIDE-69",
    )
    return Question(Text("ask/strike", (ADA,)), choices, (refused,))


def stepping() -> Night:
    """Return the night while Ada decides and the keeper may strike."""
    night = playing()
    night.ask(
        {ANN: step_question(), KIM: strike_question(night)},
        about=Text("about/turn", (ADA,)),
        settle=Settle.BESIDE,
        rule="K-DECIDE-16",
        decides=ANN,
    )
    return night


def barred() -> Night:
    """Return the night while Ada decides and no card of the keeper can be played."""
    night = playing()
    refused = tuple(
        RefusedChoice(
            Text("choice/mythos", (card, ADA)), Text("refusal/condition", (card,)), "K-DECIDE-69"
        )
        for card in ("mythos/draught", "mythos/hand", "mythos/whisper")
    )
    night.ask(
        {ANN: step_question(), KIM: Question(Text("ask/strike", (ADA,)), (), refused)},
        about=Text("about/turn", (ADA,)),
        settle=Settle.BESIDE,
        rule="K-DECIDE-16",
        decides=ANN,
    )
    return night


def acting() -> Night:
    """Return the night while the keeper chooses a keeper action."""
    night = playing()
    night.emit(fe.TurnEnded(ANN), fe.KeeperStepBegan(KeeperStep.ACTIONS))
    choices = (
        _choice(0, Text("choice/action", ("action/creep", 1)), "card", "action/creep", "keeper"),
        _choice(1, Text("choice/action", ("action/summon", 3)), "card", "action/summon", "keeper"),
        Choice("1.2", Text("choice/end_actions"), group="rest", ends=True),
    )
    refused = RefusedChoice(
        Text("choice/action", ("action/smother", 2)), Text("refusal/threat", (2, 1)), "K-KEEPER-8"
    )
    night.ask(
        {KIM: Question(Text("ask/keeper_action"), choices, (refused,))},
        about=Text("about/keeper"),
        rule="K-KEEPER-7",
    )
    return night


def rolling() -> Night:
    """Return the night while Ada's player decides about a skill point in a test."""
    night = playing()
    about = Text("about/evade", ("monster/tallyman",))
    night.emit(fe.TestDeclared(ADA, Attribute.DEXTERITY, TestKind.EVADE, 4, about))
    choices = (
        _choice(0, Text("choice/roll", (4,)), group="roll"),
        _choice(1, Text("choice/spend_skill_point", (6,)), group="use"),
    )
    question = Question(Text("ask/skill_point", (ADA,)), choices)
    night.ask({ANN: question}, about=about, rule="K-TEST-4")
    return night


CONNECTING = Puzzle(
    "puzzle/pipes",
    Family.CONNECT,
    2,
    3,
    tuple(map(Piece, ("x.x.", "xx..", ".x.x", "xxx.", "....", "xxxx"))),
    source=0,
    goal=1,
)
MATCHING = Puzzle(
    "puzzle/tiles", Family.MATCH, 2, 2, tuple(map(Piece, ("abcd", "bcda", "aabb", "ccdd")))
)
ORDERING = Puzzle("puzzle/rows", Family.ORDER, 2, 3, tuple(map(Piece, "cabfed")))


def puzzling(puzzle: Puzzle = CONNECTING) -> Night:
    """Return the night while Ada tries a puzzle."""
    night = playing()
    night.emit(fe.PuzzleLaid(puzzle), fe.PuzzleAttemptBegan(ADA, puzzle.puzzle_id, 4))
    turn = "choice/puzzle_turn_right"
    choices = (
        *(_choice(at, Text(turn, (at + 1,)), "piece", str(at), "puzzle") for at in range(4)),
        _choice(4, Text("choice/puzzle_point", (3,)), group="use"),
        Choice("1.5", Text("choice/puzzle_leave"), group="rest", ends=True),
    )
    about = Text("about/puzzle", (ADA, puzzle.puzzle_id))
    question = Question(Text("ask/puzzle", (puzzle.puzzle_id, 4)), choices)
    night.ask({ANN: question}, about=about, rule="K-PUZZLE-1")
    return night


def matching() -> Night:
    return puzzling(MATCHING)


def ordering() -> Night:
    return puzzling(ORDERING)


def happening() -> Night:
    """Return the night to its end, after every kind of event that is told."""
    night = puzzling()
    deal(night, supply_of(Family.CONNECT), ("x.x.",) * 2)
    game = game_of(night)
    spare = game.piles[supply_of(Family.CONNECT)][0]
    down, draught = (held(night, MYTHOS_HAND, f"mythos/{one}") for one in ("whisper", "draught"))
    dread = held(night, TRAUMA_HAND, "trauma/dread")
    for pile, card in (("deck/combat-humanoid", "combat/lunge"), (MYTHOS_DECK, "mythos/hand")):
        deal(night, pile, (card,) * 3)
    lunges = game_of(night).piles["deck/combat-humanoid"]
    humanoid, lock = MonsterClass.HUMANOID, game.locks["room/chapel"].card
    event, objective = game.events[0], game.objective
    back, shelf = game.monsters["m1"].back, game.laid["room/pantry"][0]
    assert objective is not None
    night.emit(
        fe.VariantsAgreed((Variant.MONSTER_SKILL_POINTS,)),
        fe.TurnWithdrawn(ADA),
        fe.TurnBegan(ADA, 2),
        fe.StepsLimited(ADA, 1),
        fe.AbilityUsed(ADA, "game:trait/stubborn"),
        fe.Hid(ADA, "f1"),
        fe.Hid(ADA, None),
        fe.MythosLaidDown(ADA, down, (KIM, ANN), hidden("mythos/whisper")),
        fe.MythosPlayed(ADA, draught, "mythos/draught"),
        fe.FeatureRemoved("f5"),
        fe.FeaturePlaced(FeatureKind.CORPSE, "house/b"),
        fe.FeatureMoved("f6", "house/a"),
        fe.BarricadeSet("f2", None),
        fe.LockShown("room/chapel", opened(night, lock), "lock/chapel"),
        fe.LockOpened("room/chapel"),
        fe.CardTurnedUp(
            REED, "room/pantry", shelf.number, opened(night, shelf.card), "obstacle/shelf"
        ),
        fe.CombatCardDrawn(humanoid, lunges[0], "combat/lunge", is_match=False),
        fe.CombatCardDrawn(humanoid, lunges[1], "combat/lunge", is_match=True),
        fe.Attacked(ADA, "m1", ""),
        fe.Attacked(ADA, "m1", "item/knife"),
        fe.MonsterAttacked("m1", ADA),
        fe.RollForced(),
        fe.TestDeclared(ADA, Attribute.STRENGTH, TestKind.COMBAT, 4, Text("about/turn", (ADA,))),
        fe.TestPointSpent(ADA),
        fe.TestRolled(ADA, 7),
        fe.TestEnded(ADA, is_passed=True),
        fe.MonsterBackShown("m1", opened(night, back), "back/tally"),
        fe.MonsterHurt("m1", 2),
        fe.MonsterKilled("m1"),
        fe.MonsterRemoved("m2"),
        fe.SkillPointsChanged(ADA, -1),
        fe.HarmTaken(ADA, 1, 4),
        fe.TraumaPlayed(ADA, dread, "trauma/dread", TraumaKind.INSANITY, is_instant=False),
        fe.HarmTaken(ADA, -1, -1),
        fe.TraumaLost(ADA, TraumaKind.INSANITY),
        fe.ItemDropped(ADA, "i1", "room/hall"),
        fe.ItemTaken(ADA, "i1", "room/hall"),
        fe.WeaponUsed(ADA, "i1"),
        fe.ItemGiven(ADA, REED, "i1"),
        fe.ItemUsedUp(REED, "i1"),
        fe.SpellTurned(REED, game.investigators[REED].spells[0].handle, "back/ward_holds"),
        fe.SpellDiscarded(REED, game.investigators[REED].spells[0].handle),
        fe.CounterChanged("samples", 2),
        fe.PuzzlePointSpent(ADA, 3),
        fe.PuzzlePieceTurned("puzzle/pipes", 0, 1),
        fe.PuzzlePiecesSwapped("puzzle/pipes", (0, 1)),
        fe.PuzzlePieceExchanged("puzzle/pipes", 2, spare, "x.x."),
        fe.PuzzleSolved("puzzle/pipes"),
        fe.PuzzleAttemptEnded(),
        fe.PuzzleLaid(MATCHING),
        fe.PuzzleAttemptBegan(ADA, MATCHING.puzzle_id, None),
        fe.PuzzleAttemptEnded(),
        fe.SparesNoMore(),
    )
    turned = game_of(night).investigators[ADA].face_down[0].card
    night.emit(fe.FaceDownTurned(ADA, opened(night, turned), "mythos/whisper"))
    drawn = game_of(night).piles[MYTHOS_DECK][0]
    night.emit(fe.KeeperDrew(MYTHOS_DECK, MYTHOS_HAND, drawn))
    deal(night, MYTHOS_HAND, ("mythos/hand",) * 2)
    first, second = game_of(night).hand(MYTHOS_HAND)
    night.emit(
        fe.HandCardDiscarded(MYTHOS_DECK, MYTHOS_HAND, first, "mythos/hand"),
        fe.LaidReady(KEEPER, hidden(((REED, second, "turn"),))),
        fe.EventResolved(opened(night, event), "event/rain"),
        fe.ObjectiveRevealed(opened(night, objective), "objective/flood"),
        fe.InvestigatorKilled(REED, returns=True),
        fe.SeatEliminated(BOB),
        fe.GameEnded(Ending((Side.KEEPER,), Text("reason/won"))),
    )
    return night


def opened(night: Night, sealed: Sealed[Any]) -> Disclosure:
    """Return a sealed value as the server discloses it."""
    sequence, slot = sealed.ref
    opening = openings_of(night.stored[sequence])[slot]
    return Disclosure(sequence, slot, opening.salt, opening.value)


# Clients -----------------------------------------------------------------------------------


def words(language: str = "en") -> WordStore:
    subjects: dict[str, Mapping[str, str]] = dict(EN)
    if language == "fr":
        subjects |= FR
        subjects["language"] = {"zero": "one"}
    return WordStore(subjects, language)


def view_of(night: Night, seat: int | None) -> TableView:
    """Return the view of a seat with everything received."""
    view = TableView(ROOM, seat)
    view.receive(night.cuts(seat))
    return view


def model_of(night: Night, *, seat: int | None, language: str = "en") -> ClientModel:
    """Return a client model that follows a table."""
    name = "Zoe" if seat is None else ("Kim", "Ann", "Bob")[seat]
    model = ClientModel(
        name, name.encode() * 16, load(language), "haunted.example:4470", words(language)
    )
    model.status = Online("haunted", "", "haunted.example:4470", 0.012)
    model.follow(view_of(night, seat))
    assert model.view is not None
    model.update_table(next_sequence=model.view.last + 1)
    return model


def ui_of(
    night: Night, *, seat: int | None, language: str = "en", charset: Charset = Charset.BOXES
) -> Ui:
    """Return the screen of a seat, with nothing that opens by itself."""
    model = model_of(night, seat=seat, language=language)
    journal = Journal(lambda: model.speaker)
    journal.begin(model.view)
    prefs = Preferences(story=False)
    desk = Desk(model, RecordingPort(), journal, Appearance(charset), prefs=prefs)
    desk.introduced.add(ROOM)
    return Ui(desk)
