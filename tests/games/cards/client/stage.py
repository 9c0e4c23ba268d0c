"""
A table laid by hand for the screens: three locations, two investigators, an enemy, a test.

The events are chosen for what they show on a screen; rules might not allow them.
"""

from collections.abc import Mapping, Sequence

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
from protocol.common import events
from protocol.common.asks import Choice, Point, Question, RefusedChoice, Settle
from protocol.common.chance import Stream
from protocol.common.events import Disclosure, Player
from protocol.common.table import LOG_VERSION, Settings
from protocol.common.text import Text
from protocol.event import hidden, openings_of
from protocol.games.cards import events as c
from protocol.games.cards.table import ENCOUNTER, CardsTable, Place, deck_of, hand_of
from protocol.games.cards.words import INVESTIGATOR, RULESET, Fate, Phase, Skill, Zone
from tests.games.cards.client.words import EN, FR
from tests.games.second_edition.client.scripted import Script
from tests.games.second_edition.client.stage import RecordingPort

ROOM = "room-1"
ANN, BOB = range(2)
ADA, REED = "card/ada", "card/reed"
HAND = ("card/lamp", "card/nerve", "card/rope")


class Evening(Script):
    """Log of this game that a test extends by hand."""

    @property
    def game(self) -> CardsTable:
        game = self.table.game
        assert isinstance(game, CardsTable)
        return game

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that know the secrets of an investigator."""
        return () if self.table.game is None else self.game.seats_of(self.table.room, knower)

    def shuffle(self, pile: str, cards: Sequence[str], *knowers: int) -> None:
        """Lay a pile whose order only some seats know."""
        handles = tuple(f"{pile[-3:]}.{len(self.stored)}.{at}" for at in range(len(cards)))
        order = hidden(tuple(cards))
        self.emit(events.Shuffled(Stream.PLAY, 0, f"shuffle {pile}", pile, handles, knowers, order))

    def piece(self, code: str) -> str:
        return next(card.piece for card in self.game.cards.values() if card.code == code)

    def tokens(self, code: str, **tokens: int) -> None:
        piece = self.piece(code)
        self.emit(c.Tokens(tuple(c.Change(piece, kind, n) for kind, n in tokens.items())))


def setting_up() -> Evening:
    """Return the table with the question which cards of the first hand are swapped."""
    evening = _laid()
    handles = evening.game.piles[hand_of(ADA)]
    choices = [
        Choice(f"0.{at}", Text("choice/card", (code,)), (Point("card", handle),))
        for at, (handle, code) in enumerate(zip(handles, HAND, strict=True))
    ]
    question = Question(Text("ask/mulligan", (ADA,)), tuple(choices), at_least=0, at_most=3)
    evening.ask({ANN: question}, about=Text("about/turn", (ADA,)), rule="C-BSETUP-6")
    return evening


def acting() -> Evening:
    """Return the table in Ada's turn, with an enemy engaged."""
    evening = begun()
    lamp, _, rope = evening.game.piles[hand_of(ADA)]
    quay, steps, eel = map(evening.piece, ("card/quay", "card/steps", "card/eel"))
    said = (
        (Text("choice/draw"), (), ""),
        (Text("choice/resource"), (), ""),
        (Text("choice/play_for", ("card/lamp", 2)), (Point("card", lamp),), ""),
        (Text("choice/play_for", ("card/rope", 1)), (Point("card", rope),), ""),
        (Text("choice/move", ("card/steps",)), (Point("card", steps),), ""),
        (Text("choice/use", ("card/quay-seen",)), (Point("card", quay),), "leave"),
        (Text("choice/fight", ("card/eel", 2, 2)), (Point("card", eel),), ""),
        (Text("choice/end_turn"), (), ""),
    )
    choices = tuple(Choice(f"0.{at}", *one) for at, one in enumerate(said))
    refused = (
        RefusedChoice(
            Text("choice/play_for", ("card/nerve", 0)), Text("refused/skill"), "C-BTEST-3"
        ),
    )
    question = Question(Text("ask/action", (ADA, 2)), choices, refused)
    evening.ask({ANN: question}, about=Text("about/turn", (ADA,)), rule="C-BTURN-2")
    return evening


def crowded() -> Evening:
    """Return the table in Ada's turn on a map of seven locations, with many choices."""
    evening = acting()
    more = ("store", "chapel", "slip", "sluice")
    for name in more:
        evening.emit(c.LocationLaid(f"card/{name}", hidden(f"card/{name}-seen")))
    quay, steps, light, store, chapel, slip, sluice = (
        evening.piece(f"card/{name}") for name in ("quay", "steps", "light", *more)
    )
    ways = [(quay, steps), (quay, store), (quay, slip), (steps, light), (store, chapel)]
    ways += [(slip, sluice), (chapel, light)]
    linked = {one: tuple(b for a, b in ways if a == one) for one in dict(ways)}
    for a, b in ways:
        linked[b] = (*linked.get(b, ()), a)
    evening.emit(c.Linked(linked))
    choices = [
        *(Choice(f"1.{at}", Text("choice/play_for", (one, 1))) for at, one in enumerate(HAND)),
        *(Choice(f"2.{one}", Text("choice/move", (f"card/{one}",))) for one in ("store", "slip")),
        Choice("3", Text("choice/fight", ("card/eel", 2, 2))),
        Choice("4", Text("choice/draw")),
        Choice("5", Text("choice/resource")),
        Choice("6", Text("choice/end_turn"), ends=True),
    ]
    question = Question(Text("ask/action", (ADA, 2)), tuple(choices))
    evening.ask({ANN: question}, about=Text("about/turn", (ADA,)), rule="C-BTURN-2")
    return evening


def committing() -> Evening:
    """Return the table in a test, where cards can be committed."""
    evening = begun()
    quay = evening.piece("card/quay")
    evening.emit(c.TestBegan(ADA, Skill.INTELLECT, 2, "card/quay-seen", quay, "investigate"))
    _, nerve, rope = evening.game.piles[hand_of(ADA)]
    evening.emit(c.Opened(hand_of(ADA), rope, "card/rope", Place(Zone.COMMITTED, ADA), ADA, ADA))
    choices = (
        Choice("0.0", Text("choice/commit", ("card/nerve", 81)), (Point("card", nerve),)),
        Choice("0.1", Text("choice/pass"), ends=True),
    )
    refused = (
        RefusedChoice(
            Text("choice/commit", ("card/rope", 62)), Text("refused/most_committed"), "C-BTEST-19"
        ),
    )
    parts = Text("about/value_1", ("skill/intellect", 4, Text("about/plus", ("card/lamp", 1))))
    question = Question(Text("ask/commit", (ADA, 5, 2, 62, parts)), choices, refused)
    evening.ask(
        {ANN: question},
        about=Text("about/test", (ADA,)),
        within=(Text("about/test", (ADA,)),),
        settle=Settle.FIRST_OR_ALL_PASS,
        rule="C-BTEST-3",
        kind="window/commit",
    )
    return evening


def reacting(evening: Evening | None = None) -> Evening:
    """Return the table after a test of Ada's that failed; her card may answer that."""
    evening = evening or begun()
    quay = evening.piece("card/quay")
    evening.emit(c.TestBegan(ADA, Skill.INTELLECT, 2, "card/quay-seen", quay, "investigate"))
    ask_window(evening, ANN)
    return evening


def ask_window(evening: Evening, seat: int, *texts: Text) -> int:
    """Ask a seat whether it uses something after a test that failed; return the id of the ask."""
    said = (*(texts or (Text("choice/use", ("card/ada",)),)), Text("choice/pass"))
    choices = tuple(
        Choice(f"{len(evening.stored)}.{at}", text, ends=text.subject == "choice/pass")
        for at, text in enumerate(said)
    )
    return evening.ask(
        {seat: Question(Text("ask/window"), choices)},
        about=Text("about/test", (ADA,)),
        within=(Text("about/test", (ADA,)),),
        settle=Settle.FIRST_OR_ALL_PASS,
        rule="C-BWIN-2",
        kind="after/test-fails",
    )


def over() -> Evening:
    """Return the table after a defeat."""
    evening = begun()
    for who in (ADA, REED):
        evening.emit(c.Eliminated(who, Fate.DEFEATED))
    evening.emit(c.Ended("resolution/none", is_won=False, experience=0))
    return evening


def _laid() -> Evening:
    evening = Evening()
    settings = Settings(spectators=True)
    evening.emit(
        events.RoomOpened(
            ROOM, RULESET, "cards/mole", b"h" * 32, settings, LOG_VERSION, source=None
        )
    )
    for seat, name in enumerate(("Ann", "Bob")):
        evening.emit(events.SeatTaken(seat, name, name.encode() * 16, is_bot=False), origin=seat)
        evening.emit(events.PresenceChanged(seat, is_present=True), origin=seat)
    evening.emit(
        events.GameStarted((Player(ANN, INVESTIGATOR, (ADA,)), Player(BOB, INVESTIGATOR, (REED,))))
    )
    evening.emit(c.Joined(ADA, ANN, {}), c.Joined(REED, BOB, {}), c.LeadChosen(ADA))
    evening.emit(c.BagFilled("standard", ("0", "-1", "-1", "-2", "s1", "s2", "fail", "star")))
    evening.emit(c.DecksCounted(1, 2))
    for code, zone in (
        ("card/act", Zone.ACT),
        ("card/agenda", Zone.AGENDA),
        ("card/calm", Zone.SCENARIO),
    ):
        evening.emit(c.Laid(code, Place(zone)))
    for code in ("card/quay", "card/steps", "card/light"):
        evening.emit(c.LocationLaid(code, hidden(f"{code}-seen")))
    quay, steps, light = map(evening.piece, ("card/quay", "card/steps", "card/light"))
    evening.emit(c.Linked({quay: (steps,), steps: (quay, light), light: (steps,)}))
    for who in (ADA, REED):
        evening.tokens(who, resource=5)
    evening.emit(c.Walked((ADA, REED), quay))
    opened = evening.game.cards[quay].hidden
    assert opened is not None
    sequence, slot = opened.ref
    opening = openings_of(evening.stored[sequence])[slot]
    disclosure = Disclosure(sequence, slot, opening.salt, opening.value)
    evening.emit(c.Revealed(quay, "card/quay-seen", disclosure))
    evening.tokens("card/quay", clue=2)
    evening.shuffle(ENCOUNTER, ("card/eel", "card/eel"))
    for who, seat in ((ADA, ANN), (REED, BOB)):
        evening.shuffle(deck_of(who), ("card/rope",) * 4)
        evening.shuffle(hand_of(who), HAND if who == ADA else ("card/rope",) * 2, seat)
    return evening


def begun() -> Evening:
    evening = _laid()
    evening.emit(c.RoundBegan(1), c.StepCame(Phase.INVESTIGATION, 2))
    evening.emit(c.ActionsSet(ADA, 2), c.TurnBegan(ADA))
    evening.emit(c.Laid("card/eel", Place(Zone.AT, evening.piece("card/quay"))))
    threat = Place(Zone.THREAT, ADA)
    evening.emit(c.Engagement(evening.piece("card/eel"), (ADA,), threat))
    evening.tokens(ADA, damage=1, clue=1)
    evening.tokens("card/agenda", doom=2)
    return evening


def words(language: str) -> WordStore:
    subjects: dict[str, Mapping[str, str]] = dict(EN)
    if language == "fr":
        subjects |= FR
        subjects["language"] = {"zero": "one"}
    return WordStore(subjects, language)


def ui_of(
    evening: Evening, *, seat: int | None, language: str = "en", charset: Charset = Charset.BOXES
) -> Ui:
    """Return the screen of a seat, with nothing that opens by itself."""
    view = TableView(ROOM, seat)
    view.receive(evening.cuts(seat))
    name = "Zoe" if seat is None else ("Ann", "Bob")[seat]
    key, host = name.encode() * 16, "haunted.example:4470"
    model = ClientModel(name, key, load(language), host, words(language))
    model.status = Online("haunted", "", host, 0.012)
    model.follow(view)
    model.update_table(next_sequence=view.last + 1)
    journal = Journal(lambda: model.speaker)
    journal.begin(model.view)
    prefs = Preferences(story=False)
    desk = Desk(model, RecordingPort(), journal, Appearance(charset), prefs=prefs)
    desk.introduced.add(ROOM)
    return Ui(desk)
