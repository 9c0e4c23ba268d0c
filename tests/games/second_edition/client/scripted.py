"""Scripted game: events sealed as a server seals them, cut for one seat, with their words.

The events are chosen for what they show on a screen; rules might not allow them.
"""

import functools
from collections.abc import Iterable, Mapping

import attrs

from client.locale.word_store import WordStore
from protocol.boards.maps import PlacedTile
from protocol.common import events
from protocol.common.asks import Choice, Point, Question, RefusedChoice, Settle
from protocol.common.chance import Stream
from protocol.common.table import SIGNED_VERSION, FixedSetup, Settings, Table, fold
from protocol.common.text import Text
from protocol.event import Cut, Event, Record, Stored, cut, hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import (
    CodePuzzle,
    Face,
    Guess,
    Harm,
    LockPiece,
    LockPuzzle,
    Monster,
    MythosStep,
    Phase,
    Possession,
    RunningTimer,
    Skill,
    SlidePuzzle,
    TimerUnit,
    Token,
    TokenKind,
    deck,
)
from protocol.sealing import seal

ROOM = "room-1"
ANN, BOB = b"a" * 32, b"b" * 32

HALL = (
    "+--------------+-------------+",
    "|              :             |",
    "|              :             |",
    "|      a       :      b      1",
    "|              :             =",
    "|              :             |",
    "+----==--------+-------------+",
    "|                            |",
    "|             c              |",
    "|                            |",
    "+-----------------2==--------+",
)
STUDY = (
    "+----------------+-----------+",
    "|                |           |",
    "|                |           |",
    "=       a        |     c     |",
    "=                =           |",
    "|                =           |",
    "+~~~~~~~~~~~~~~~~+           |",
    "|                |           |",
    "|       b        |           |",
    "|                |           |",
    "+----------------+-----------+",
)

EN: Mapping[str, Mapping[str, str]] = {
    "investigator/ada": {"name": "Ada Lorne", "text": "A diver who came home with a limp."},
    "investigator/amos": {"name": "Amos Reed", "text": "Keeps the lamp and most secrets."},
    "investigator/vera": {"name": "Vera Sand", "text": "Prints the news nobody else dares to."},
    "monster/tallyman": {"name": "Tallyman", "text": "Counts what is owed."},
    "room/hall": {"name": "Hall"},
    "room/kitchen": {"name": "Kitchen"},
    "room/study": {"name": "Study"},
    "room/parlour": {"name": "Parlour"},
    "item/lantern": {"name": "Lantern", "text": "Once per round, reroll one die of observation."},
    "spell/ward": {"name": "Chalk Ward", "text": "Action: flip this card."},
    "back/ward-price": {"name": "The Price", "text": "Suffer 1 Horror."},
    "back/lantern-lit": {"name": "Lit Lantern", "text": "A light that can be seen from the dyke."},
    "damage/sprain": {"name": "Sprain", "text": "Move one space less."},
    "horror/dread": {"name": "Dread", "text": "One die less in tests of will."},
    "condition/wounded": {"name": "Wounded", "text": "One move action each round."},
    "condition/drenched": {"name": "Drenched", "text": "One die less in tests of agility."},
    "condition/dazed": {"name": "Dazed", "text": "One die less in tests of lore."},
    "condition/poisoned": {"name": "Poisoned", "text": "Suffer 1 Damage each round."},
    "condition/insane": {"name": "Insane", "text": "Read the back. Tell nobody."},
    "insane/arson": {"name": "Firebug", "text": "You win if the house burns."},
    "product/flood": {"name": "High Flood"},
    "product/ebb": {"name": "Low Ebb"},
    "scenario/sluice": {"name": "The Sluice House"},
    "story/prologue": {
        "text": "The river has come up over the road, and the house on the dyke is the only light "
        "for miles. Nobody answers the bell.\nThe door is open."
    },
    "story/whisper": {"text": "The water knows your name."},
    "timer/flood": {"text": "The river rises"},
    "goal": {"text": "Close the sluice gate before the river does it for you."},
    "ask/action": {"text": "{0}: an action ({1} left)"},
    "ask/items": {"text": "Who takes the {0}?"},
    "ask/code": {"text": "Set the three wheels."},
    "ask/puzzle": {"text": "{0}: what do you do?"},
    "choice/swap": {"text": "Swap {0} and {1}"},
    "choice/slide": {"text": "{0}: {1} cells {2}"},
    "choice/move": {"text": "Move to: {0}"},
    "choice/search": {"text": "Search the coats"},
    "choice/attack": {"text": "Attack the {0}"},
    "choice/end": {"text": "End the turn"},
    "choice/accept": {"text": "Leave it at {0} {0|success|successes}"},
    "choice/spend": {"text": "Spend {0} {0|Clue|Clues}"},
    "choice/reroll": {"text": "Reroll one die: {0}"},
    "choice/die": {"text": "Die {0}"},
    "ask/test": {"text": "{0} {0|success|successes} of {1} so far. Change the dice?"},
    "about/negate": {"text": "{0} faces {1} damage and {2} horror."},
    "ask/reroll": {"text": "Which dice are rolled again? Up to {0}."},
    "refuse/trade": {"text": "Trade"},
    "refuse/alone": {"text": "nobody is in your space"},
    "rule/turn-2": {
        "name": "Taking a turn",
        "text": "Two actions are yours, the same one twice if you like. What you leave is lost.",
    },
    "rule/trade-1": {
        "name": "Who takes part",
        "text": "A trade is for everybody in one space, and for nobody else.",
    },
    "epilogue": {"text": "The gate is shut. The river goes round."},
    "digit": {"text": "{0}"},
    "alive": {"text": "came out alive"},
}

FR_CHANGES: Mapping[str, Mapping[str, str]] = {
    "room/hall": {"name": "Vestibule"},
    "room/kitchen": {"name": "Cuisine"},
    "room/study": {"name": "Cabinet"},
    "room/parlour": {"name": "Petit salon"},
    "monster/tallyman": {"name": "Compteur", "text": "Il compte ce qui est dû."},
    "item/lantern": {"name": "Lanterne", "text": "Une fois par manche, relancez un dé."},
    "condition/wounded": {"name": "Blessure", "text": "Un seul déplacement par manche."},
    "condition/insane": {"name": "Folie", "text": "Lisez le verso. N’en dites rien."},
    "ask/action": {"text": "{0} : une action ({1} restante{1||s})"},
    "choice/move": {"text": "Aller : {0}"},
    "choice/search": {"text": "Fouiller les manteaux"},
    "choice/attack": {"text": "Attaquer : {0}"},
    "choice/end": {"text": "Finir le tour"},
    "choice/accept": {"text": "En rester à {0} succès"},
    "choice/spend": {"text": "Dépenser {0} {0|Indice|Indices}"},
    "choice/reroll": {"text": "Relancer un dé : {0}"},
    "choice/die": {"text": "Dé {0}"},
    "ask/test": {"text": "{0} succès sur {1}. Changer les dés ?"},
    "about/negate": {"text": "{0} risque {1} dégât et {2} horreurs."},
    "ask/reroll": {"text": "Quels dés relancer ? Jusqu’à {0}."},
    "refuse/trade": {"text": "Échanger"},
    "refuse/alone": {"text": "personne n’est dans votre case"},
    "rule/turn-2": {
        "name": "Jouer son tour",
        "text": "Deux actions sont à vous, deux fois la même au besoin. Le reste est perdu.",
    },
    "rule/trade-1": {
        "name": "Qui participe",
        "text": "Un échange est pour tous ceux d’une même case, et pour personne d’autre.",
    },
    "timer/flood": {"text": "La rivière monte"},
    "goal": {"text": "Fermez l’écluse avant que la rivière ne s’en charge."},
    "story/prologue": {
        "text": "La rivière a couvert la route, et la maison sur la digue est la seule lumière à "
        "des lieues. Personne ne répond à la cloche.\nLa porte est ouverte."
    },
}


def words(language: str = "en") -> WordStore:
    subjects = dict(EN)
    if language == "fr":
        subjects |= FR_CHANGES
        subjects["language"] = {"zero": "one"}
    return WordStore(subjects, language)


@attrs.define
class Script:
    """Log that a test extends by hand."""

    room_id: str = ROOM
    table: Table = attrs.field(factory=Table)
    stored: list[Stored] = attrs.field(factory=list)
    records: list[Record] = attrs.field(factory=list)
    time: int = 1_800_000_000_000
    salts: int = 0
    """Number of salts made so far."""

    def copy(self) -> "Script":
        """Return an independent log that begins with the records of this one."""
        return attrs.evolve(self, stored=list(self.stored), records=list(self.records))

    def all_seats(self) -> tuple[int, ...]:
        return tuple(sorted(self.table.room.seats))

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that play this investigator."""
        return tuple(s.seat for s in self.table.room.seats.values() if knower in s.characters)

    def emit(self, *happened: Event, origin: int = -1) -> None:
        for event in happened:
            stored, record = seal(
                event,
                room_id=self.room_id,
                sequence=len(self.stored),
                time=self.time,
                origin=origin,
                knowers=self,
                new_salt=self._new_salt,
            )
            self.stored.append(stored)
            self.records.append(record)
            self.table = fold(self.table, record)
            self.time += 1000

    def _new_salt(self) -> bytes:
        self.salts += 1
        return self.salts.to_bytes(32, "big")

    def cuts(self, seat: int | None, first: int = 0) -> list[Cut]:
        """Return the log as one viewer receives it, from the record with sequence `first` on."""
        return [cut(stored, seat) for stored in self.stored[first:]]

    def ask(
        self,
        questions: Mapping[int, Question],
        *,
        about: Text,
        settle: Settle = Settle.ANY_ONE,
        voters: tuple[tuple[str, int], ...] = (),
        rule: str = "ROUND-1",
        within: tuple[Text, ...] = (),
        decides: int = -1,
        kind: str = "",
    ) -> int:
        """Ask seats a question each; return the id of the ask."""
        ask_id = self.table.room.next_ask_id
        sealed = {seat: hidden(question) for seat, question in questions.items()}
        self.emit(
            events.Asked(
                ask_id, rule, about, settle, voters, sealed, within, kind=kind, decides=decides
            )
        )
        return ask_id


def lobby(names: Iterable[str] = ("Ann", "Bob"), *, settings: Settings | None = None) -> Script:
    """Return a table with people in the lobby and no game yet."""
    script = Script()
    # Nobody signs here, as before version 3.
    script.emit(
        events.RoomOpened(
            ROOM,
            "second_edition",
            "core/sluice",
            b"h" * 32,
            settings or Settings(spectators=True),
            SIGNED_VERSION - 1,
            source=None,
        )
    )
    for seat, (name, key) in enumerate(zip(names, (ANN, BOB), strict=False)):
        script.emit(events.SeatTaken(seat, name, key, is_bot=False), origin=seat)
        script.emit(events.PresenceChanged(seat, is_present=True), origin=seat)
    return script


SETUP = FixedSetup("3fa291c05d7b4e1f8a6c2b9d0e4f7a13", b"c" * 32)


def fixed() -> Script:
    """Return a table with a fixed setup, before its game.

    Two starts have failed for lack of Bob's share.
    """
    script = lobby()
    script.emit(events.SetupFixed(SETUP))
    for _ in range(2):
        script.emit(
            events.StartRequested(0),
            events.SeedsCommitted(hidden(b"s" * 32), hidden(b"")),
            events.ShareCommitted(0, b"c" * 32),
            events.ShareCommitted(1, b"d" * 32),
            events.ShareOpened(0, b"e" * 32),
            events.StartFailed((1,)),
        )
    return script


FLOOD = RunningTimer("timer1", Text("timer/flood"), TimerUnit.ROUNDS, 3)
"""A timer that everybody sees."""


def playing(names: Iterable[str] = ("Ann", "Bob")) -> Script:
    return _played(tuple(names)).copy()


@functools.cache
def _played(names: tuple[str, ...]) -> Script:
    script = lobby(names)
    script.emit(
        events.CharactersClaimed(0, ("investigator/ada", "investigator/amos")),
        events.CharactersClaimed(1, ("investigator/vera",)),
        events.ReadySet(0, is_ready=True),
        events.ReadySet(1, is_ready=True),
        events.StartRequested(0),
        events.SeedsCommitted(hidden(b"s" * 32), hidden(b"t" * 32)),
        events.ShareCommitted(0, b"c" * 32),
        events.ShareCommitted(1, b"d" * 32),
        events.ShareOpened(0, b"e" * 32),
        events.ShareOpened(1, b"f" * 32),
        events.GameStarted(
            (
                events.Player(0, "investigator", ("investigator/ada", "investigator/amos")),
                events.Player(1, "investigator", ("investigator/vera",)),
            )
        ),
    )
    _set_up(script)
    _first_round(script)
    return script


def _set_up(script: Script) -> None:
    skills = dict.fromkeys(Skill, 3)
    rooms = (("a", "room/hall"), ("b", "room/hall"), ("c", "room/kitchen"))
    study = (("a", "room/study"), ("b", "room/study"), ("c", "room/parlour"))
    script.emit(
        se.PhaseBegan(Phase.SETUP, 0),
        se.SupplyLaidOut(
            {
                "item/lantern": 2,
                "condition/wounded": 5,
                "condition/drenched": 1,
                "condition/dazed": 1,
                "condition/poisoned": 1,
            }
        ),
        *(
            se.InvestigatorJoined(who, seat, 7, 6, skills)
            for who, seat in (
                ("investigator/ada", 0),
                ("investigator/amos", 0),
                ("investigator/vera", 1),
            )
        ),
        *(
            events.Shuffled(
                Stream.SETUP,
                0,
                f"shuffle {pile}",
                pile=pile,
                handles=tuple(f"{pile[5]}{at}" for at in range(4)),
                knowers=(),
                order=hidden(cards),
            )
            for pile, cards in (
                {
                    deck(Harm.DAMAGE): ("damage/sprain",) * 4,
                    deck(Harm.HORROR): ("horror/dread",) * 4,
                    "deck/insane": ("insane/arson",) * 4,
                }.items()
            )
        ),
        se.TilePlaced(PlacedTile("hall", 0, 0, HALL, rooms)),
        se.TilePlaced(PlacedTile("study", 0, 29, STUDY, study)),
        *(
            se.InvestigatorMoved(who, "hall/a")
            for who in ("investigator/ada", "investigator/amos", "investigator/vera")
        ),
        se.TokenPlaced(Token("token/coats", TokenKind.SEARCH, "hall/b")),
        se.TokenPlaced(Token("token/cellar", TokenKind.EXPLORE, "hall/2")),
        se.TokenPlaced(Token("token/clock", TokenKind.INTERACT, "study/a")),
        se.TokenPlaced(Token("token/maid", TokenKind.PERSON, "hall/c")),
        se.TokenPlaced(Token("token/window", TokenKind.SIGHT, "study/c")),
        se.Told(Text("story/prologue")),
        se.ObjectiveSet(Text("goal")),
        events.CheckpointReached(),
    )


def _first_round(script: Script) -> None:
    vera, ada = "investigator/vera", "investigator/ada"
    script.emit(
        se.PhaseBegan(Phase.INVESTIGATOR, 1),
        se.TurnBegan(vera, 2),
        se.ActionSpent(vera, "move"),
        se.InvestigatorMoved(vera, "hall/b"),
        se.CluesGained(vera, 2),
        se.PossessionGained(vera, Possession("p1", "item/lantern")),
        se.TurnEnded(vera),
        events.CheckpointReached(),
        se.PhaseBegan(Phase.MYTHOS, 1),
        se.MythosStepBegan(MythosStep.EVENT),
        se.MonsterSpawned(Monster("m1", "monster/tallyman", 0, "hall/a", 3, 2, 1, 2)),
        se.MonsterSpawned(Monster("m2", "monster/tallyman", 1, "study/a", 3, 2, 1, 2)),
        se.MonsterDamaged("m1", 1),
        se.TestDeclared(ada, Skill.WILL, 0, 2, 4),
        events.Rolled(Stream.PLAY, 0, "will", sides=8, faces=(0, 1, 2, 3)),
        se.DiceShown((Face.SUCCESS, Face.INVESTIGATION, Face.BLANK, Face.BLANK)),
        se.TestFinished(ada, 1, is_passed=False),
        se.HarmTaken(ada, Harm.DAMAGE, "d0", "damage/sprain"),
        se.HarmTaken(ada, Harm.HORROR, "h0", None),
        se.BecameWounded(vera, "condition/wounded"),
        se.BecameInsane(ada, "condition/insane", "i0", hidden("insane/arson")),
        se.ToldPrivately(ada, hidden(Text("story/whisper"))),
        events.CheckpointReached(),
    )
    script.emit(events.Chatted(1, hidden(b"shall I search?")), origin=1)
    script.emit(se.PhaseBegan(Phase.INVESTIGATOR, 2), se.TurnBegan(ada, 2))


def action_question() -> Question:
    """Return the question Ada's player is asked on her turn."""
    spaces = ("room/hall", "room/kitchen", "room/study")
    return Question(
        prompt=Text("ask/action", ("investigator/ada", 2)),
        choices=(
            Choice("1.0", Text("choice/end"), group="rest", ends=True),
            *(
                Choice(
                    f"1.{at + 1}", Text("choice/move", (room,)), (Point("space", space),), "move"
                )
                for at, (room, space) in enumerate(
                    zip(spaces, ("hall/b", "hall/c", "study/a"), strict=True)
                )
            ),
            Choice("1.4", Text("choice/search"), (Point("token", "token/coats"),), "look"),
            Choice(
                "1.5",
                Text("choice/attack", ("monster/tallyman",)),
                (Point("monster", "m1"),),
                "fight",
            ),
        ),
        refused=(RefusedChoice(Text("refuse/trade"), Text("refuse/alone"), "TRADE-1"),),
    )


def asked(names: Iterable[str] = ("Ann", "Bob")) -> Script:
    """Return the game on Ada's turn; her player, Ann, has to choose."""
    script = playing(names)
    about = Text("ask/action", ("investigator/ada", 2))
    script.ask({0: action_question()}, about=about, rule="TURN-2")
    return script


def agreeing() -> Script:
    """Return the game with a vote on which the two seats disagree."""
    script = playing()
    choices = tuple(
        Choice(f"9.{at}", Text(who, field="name"), (Point("investigator", who),))
        for at, who in enumerate(("investigator/ada", "investigator/vera"))
    )
    question = Question(Text("ask/items", ("item/lantern",)), choices)
    script.ask(
        {0: question, 1: question},
        about=Text("ask/items", ("item/lantern",)),
        settle=Settle.AGREE,
        voters=(("investigator/ada", 0), ("investigator/vera", 1)),
    )
    script.emit(events.Voted(1, 0, ("9.1",)), origin=1)
    return script


def coding() -> Script:
    """Return the game with a code puzzle of three signs, after one guess."""
    script = playing()
    script.emit(
        se.CodeLaidOut(CodePuzzle("chain", 3, ("1", "2", "3", "4"))),
        se.CodeGuessed("chain", Guess(("1", "1", "2"), 1, 1), is_solved=False),
    )
    _ask_for_row(script)
    return script


def guessing() -> Script:
    """Return the game in an attempt at a code puzzle, after two guesses."""
    script = playing()
    script.emit(
        se.CodeLaidOut(CodePuzzle("chain", 3, ("1", "2", "3", "4"))),
        se.AttemptBegan("investigator/ada", "chain", 4),
        se.CodeGuessed("chain", Guess(("1", "1", "2"), 1, 1), is_solved=False),
        se.CodeGuessed("chain", Guess(("1", "2", "4"), 2, 0), is_solved=False),
    )
    _ask_for_row(script)
    return script


def _ask_for_row(script: Script) -> None:
    choices = tuple(Choice(f"7.{at}", Text("digit", (at + 1,))) for at in range(4))
    question = Question(
        Text("ask/code"), choices, at_least=3, at_most=3, is_ordered=True, can_repeat=True
    )
    script.ask({0: question}, about=Text("ask/code"))


def picturing() -> Script:
    """Return the game with a picture puzzle after one step of four."""
    pieces = (
        ("..----", ".-    "),
        ("--..  ", "    -."),
        ("| (o) ", "|     "),
        ("(o) | ", "    | "),
        ("`.    ", "  `---"),
        (" \\_/.'", "---'  "),
    )
    script = playing()
    script.emit(
        se.SlideLaidOut(SlidePuzzle("slide/face", 2, pieces)),
        se.AttemptBegan("investigator/ada", "slide/face", 4),
        se.SlideSwapped("slide/face", (1, 3), is_solved=False),
    )
    pairs = ((0, 1), (0, 2), (1, 3), (2, 3), (2, 4), (3, 5), (4, 5))
    choices = tuple(
        Choice(
            f"7.{at}",
            Text("choice/swap", (one + 1, other + 1)),
            (Point("piece", str(one)), Point("piece", str(other))),
            "move",
        )
        for at, (one, other) in enumerate(pairs)
    )
    about = Text("ask/puzzle", ("slide/face",))
    script.ask({0: Question(about, choices)}, about=about)
    return script


def unlocking() -> Script:
    """Return the game with a lock puzzle after one step of three; a Clue buys another."""
    pieces = (
        LockPiece(2, 0, 2, is_upright=False),
        LockPiece(0, 2, 3, is_upright=True),
        LockPiece(4, 0, 3, is_upright=False),
        LockPiece(2, 4, 2, is_upright=True),
        LockPiece(5, 3, 2, is_upright=False),
    )
    script = playing()
    script.emit(
        se.LockLaidOut(LockPuzzle("lock/chest", 6, 6, pieces)),
        se.AttemptBegan("investigator/ada", "lock/chest", 3),
        se.StepsAdded(1),
        se.LockSlid("lock/chest", 3, 1, is_solved=False),
    )
    slides = (("b", 1, "right", 2), ("b", 3, "right", 2), ("c", 1, "down", 3), ("c", 1, "up", 3))
    choices = tuple(
        Choice(
            f"7.{at}",
            Text("choice/slide", (letter, by, way)),
            (Point("piece", str(piece)),),
            "move",
        )
        for at, (letter, by, way, piece) in enumerate(slides)
    )
    about = Text("ask/puzzle", ("lock/chest",))
    script.ask({0: Question(about, choices)}, about=about)
    return script


RISK = Text("about/negate", ("investigator/ada", 0, 2))
"""Purpose of the test in `throw`."""
ROLLED = (Face.SUCCESS, Face.INVESTIGATION, Face.BLANK, Face.INVESTIGATION, Face.BLANK)
"""The dice of the test in `throw`."""


def throw(script: Script) -> None:
    """Declare Ada's Observation test, and show the five dice that she rolled."""
    script.emit(
        se.TestDeclared("investigator/ada", Skill.OBSERVATION, 2, 3, len(ROLLED)),
        se.DiceShown(ROLLED),
    )


def clues_question() -> Question:
    """Return the question about Ada's dice: spend Clues on investigations, or reroll."""
    dice = (Point("die", "1"), Point("die", "3"))
    return Question(
        Text("ask/test", (1, 3)),
        (
            Choice("5.0", Text("choice/accept", (1,)), group="rest", ends=True),
            Choice("5.1", Text("choice/spend", (1,)), dice[:1], "use"),
            Choice("5.2", Text("choice/spend", (2,)), dice, "use"),
            Choice(
                "5.3",
                Text("choice/reroll", ("item/lantern",)),
                (Point("possession", "p1"),),
                "use",
            ),
        ),
        default=("5.0",),
    )


def changing() -> Script:
    """Return the game with a rolled test whose dice Clues may change."""
    script = playing()
    throw(script)
    script.ask({0: clues_question()}, about=RISK)
    return script


def rerolling() -> Script:
    """Return the game with a choice of up to two dice to reroll, blanks listed first."""
    script = playing()
    throw(script)
    order = (2, 4, 1, 3, 0)
    question = Question(
        Text("ask/reroll", (2,)),
        tuple(
            Choice(f"6.{at}", Text("choice/die", (die + 1,)), (Point("die", str(die)),))
            for at, die in enumerate(order)
        ),
        at_least=0,
        at_most=2,
        default=("6.0",),
    )
    script.ask({0: question}, about=RISK)
    return script
