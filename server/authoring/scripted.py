"""Plays scripts: the real rules with the choices and dice of an author."""

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from content.plugs import packs
from content.plugs.kind import LoadedPack, MarkedScenario, kind_of
from content.reading.mistakes import suggestion
from protocol.common.asks import Choice, Question, Settle
from protocol.common.chance import Chance, SeededChance, Stream
from protocol.common.roster import Role
from protocol.common.text import Catalog, Text, render, strings_of
from protocol.event import Event
from server.authoring.driver import Driver, SeededEntropy
from server.authoring.scripts import Picks, Script
from server.authoring.simulation import MarkedLibrary
from server.kernel.batch_writer import Batch
from server.kernel.game import ruleset_of
from server.kernel.room import Room
from server.packs.shelf import PackShelf

NOBODY = "nobody"
"""Winner of a game that nobody wins, in scripts."""


@attrs.frozen
class AskedSeat:
    """A question to one seat, in words."""

    seat: int
    prompt: str
    offered: tuple[str, ...]
    """Offered choices as text, each followed by the ids that scripts may use for the choice."""
    refused: tuple[str, ...]
    """Choices that were refused, with the reason."""
    picked: tuple[str, ...]
    is_scripted: bool
    """True if the script answered the question."""


@attrs.frozen
class Result:
    """Result of a script: the questions that the game asked, and its differences from it."""

    script: Script
    faults: tuple[str, ...]
    """Differences from the script; empty if the game followed it."""
    asked: tuple[AskedSeat, ...]
    at: AskedSeat | None = None
    """
    First question after the last scripted choice, if the next scripted choice was never offered.
    """


class GoesOtherwise(Exception):
    """The game has left the script, which ends the play. The message says why."""


@attrs.define(eq=False)
class _Dice:
    """The dice of a script, shared by all streams of chance of a game."""

    faces: Iterator[int]

    def chance(self, _stream: Stream, key: bytes) -> Chance:
        return _ScriptedChance(key, self.faces)


class _ScriptedChance(SeededChance):
    """Chance that rolls the dice of a script, then continues from a key."""

    def __init__(self, key: bytes, faces: Iterator[int]) -> None:
        super().__init__(key)
        self._faces = faces

    def roll(self, number: int, purpose: str, count: int, sides: int) -> tuple[int, ...]:
        """Return the next dice of the script; after the last, dice that follow from the key."""
        # The key is used up for scripted dice, too: later rolls do not depend on the script.
        seeded = super().roll(number, purpose, count, sides)
        given = tuple(itertools.islice(self._faces, count))
        return given + seeded[len(given) :]


def words_of(pack: LoadedPack) -> Mapping[str, Catalog]:
    """Return all words of a pack for players, by language, including words of the base packs."""
    shelf = PackShelf()
    for kind, files in packs.base_packs():
        if kind.base != pack.id:
            shelf.add(kind.load(kind.base, files))
    shelf.add(pack)
    return shelf.catalogs(pack.digest)


def play(pack: LoadedPack, scenario: str, script: Script, words: Mapping[str, Catalog]) -> Result:
    """Play a script and return the result, whose faults are differences between game and script."""
    game = _ScriptedPlay.of(pack, scenario, script, words)
    faults: list[str] = []
    try:
        game.open()
        game.play_on()
    except GoesOtherwise as otherwise:
        faults.append(str(otherwise))
    except Exception as error:  # noqa: BLE001 (whatever a scenario brings about is what is looked for)
        # `RuleFailed` hides the exception of the rule, which is what the author needs.
        cause = error.__cause__ or error
        faults.append(f"did not end: {type(cause).__name__}: {cause}")
    else:
        faults.extend(game.unexpected())
    at = game.waited_at if game.todo else None
    if game.todo and not faults:
        faults.append("the game was over before all choices were made")
    if game.todo:
        said = " and ".join(map(repr, game.todo[0].said))
        faults.append(f"never offered: {said} (line {game.todo[0].line})")
    return Result(script, tuple(faults), tuple(game.asked), at)


@attrs.define(eq=False)
class _ScriptedPlay(Driver):
    """One script in progress."""

    marked: MarkedScenario
    script: Script
    words: Mapping[str, Catalog]
    todo: list[Picks]
    asked: list[AskedSeat] = attrs.field(factory=list)
    waited_at: AskedSeat | None = None
    """First open question since the last scripted choice."""
    seen: set[str] = attrs.field(factory=set)
    agreed: tuple[int, tuple[str, ...]] = (-1, ())
    """Last question that was answered, and its picks; seats that must agree repeat them."""

    @classmethod
    def of(
        cls, pack: LoadedPack, scenario: str, script: Script, words: Mapping[str, Catalog]
    ) -> "_ScriptedPlay":
        """Return a play that has not begun."""
        kind = kind_of(pack.game)
        marked = kind.marked(pack, scenario)
        given = [kind.dice[face] for face in script.dice]
        rest = itertools.repeat(kind.dice[script.other_dice]) if script.other_dice else ()
        dice = _Dice(itertools.chain(given, rest))
        library = MarkedLibrary(pack, marked.content)
        entropy = SeededEntropy(script.seed)
        room = Room("script", library, entropy, make_chance=dice.chance)
        rng, todo = random.Random(script.seed), list(script.choices)
        fewest = ruleset_of(pack.game).roster(kind.content(pack, scenario)).fewest
        players = script.players or fewest
        return cls(room, rng, players, pack, scenario, marked, script, words, todo)

    def after_batch(self, event: Event, origin: int, batch: Batch) -> None:  # noqa: ARG002 (its results count)
        """Add the parts of the scenario that are on the table now to the parts seen."""
        if (table := self.room.table.game) is not None:
            self.seen.update(mark.id for mark in self.marked.on_table(table))

    def characters(self, role: Role, count: int) -> Sequence[str]:
        """
        Return the characters that the script names; if it names none, characters drawn by the seed.

        A role without characters, such as one side of a game, has none to name.

        Raises:
            GoesOtherwise: the script names an unknown character, or too few or too many.
        """
        named = self.script.characters
        if not named or not count:
            return super().characters(role, count)
        for character in named:
            if character not in role.characters:
                advice = suggestion(character, role.characters)
                raise GoesOtherwise(f"characters: nobody is called {character[:60]!r}; {advice}")
        if len(named) != count:
            raise GoesOtherwise(f"characters: {count} are played, and {len(named)} are named")
        return named

    def next_seat(self, waiting: Sequence[int], questions: Mapping[int, Any]) -> int:
        """Return the first seat that can make the next scripted choice, or else the lowest seat."""
        for seat in waiting:
            if any(self._scripted(question) for question in questions[seat].value.row):
                return seat
        return min(waiting)

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        """
        Return the scripted answer if the next scripted choice is offered, otherwise the default.

        In a question on which all seats must agree, a seat without a scripted choice repeats the
        last answer.
        """
        ask = self.room.table.room.ask
        assert ask is not None
        picks = self._scripted(question)
        is_scripted = bool(picks)
        if is_scripted:
            self.todo.pop(0)
        # A question that all must agree on would be asked again for ever otherwise.
        elif ask.settle is Settle.AGREE and self.agreed[0] == ask.ask_id:
            picks = self.agreed[1]
        else:
            picks = question.default
        self.agreed = (ask.ask_id, picks)
        by_id = {choice.choice_id: self._say(choice.text) for choice in question.choices}
        asked = AskedSeat(
            seat,
            self._say(question.prompt),
            tuple(map(self._shown, question.choices)),
            tuple(f"{self._say(r.text)}: {self._say(r.reason)}" for r in question.refused),
            tuple(by_id[pick] for pick in picks),
            is_scripted,
        )
        self.asked.append(asked)
        if is_scripted:
            self.waited_at = None
        # A single choice does not explain why the scripted one was not offered.
        elif self.waited_at is None and len(question.choices) > 1:
            self.waited_at = asked
        return picks

    def _scripted(self, question: Question) -> tuple[str, ...]:
        """Return the picks of the next scripted choice; empty unless all are offered."""
        if not self.todo:
            return ()
        found = [self._meant(said, question.choices) for said in self.todo[0].said]
        picks = tuple(choice.choice_id for choice in found if choice is not None)
        is_whole = len(picks) == len(found) and question.part_faults(picks) is None
        return picks if is_whole else ()

    def _meant(self, said: str, choices: Sequence[Choice]) -> Choice | None:
        """
        Return the choice that a text names, by words or by ids; None if there is none.

        Raises:
            GoesOtherwise: the text is ambiguous.
        """
        # In any language: authors copy the words that they see.
        by_words = [
            choice
            for choice in choices
            if _folded(said)
            in {_folded(render(choice.text, self.words[language].get)) for language in self.words}
        ]
        # Words come first: a choice must not be found by ids that spell another one.
        named = set(said.split())
        found = by_words or [choice for choice in choices if named <= set(_ids(choice))]
        if len(found) > 1:
            several = "; ".join(self._shown(choice) for choice in found)
            raise GoesOtherwise(f"{said!r} means several: {several}")
        return found[0] if found else None

    def _say(self, text: Text) -> str:
        return render(text, self.words["en"].get)

    def _shown(self, choice: Choice) -> str:
        return f"{self._say(choice.text)} [{' '.join(_ids(choice))}]"

    def unexpected(self) -> Iterator[str]:
        """Yield the differences between the finished game and the script's expectations."""
        table, expect = self.room.table.game, self.script.expect
        assert table is not None
        outcome = self.marked.outcome(table)
        seen = self.seen | {mark.id for mark in self.marked.seen(table)}
        known = {mark.id for mark in self.marked.everything}
        for id_ in (*expect.seen, *expect.unseen):
            if id_ not in known:
                yield f"nothing of the scenario is called {id_[:60]!r}; {suggestion(id_, known)}"
        if expect.ending not in {None, outcome.ending}:
            yield f"ending: expected {expect.ending}, came {outcome.ending}"
        if expect.won is not None:
            yield from self._other_winner(expect.won.said, outcome.winners)
        rounds = expect.rounds
        if rounds is not None and not rounds.at_least <= outcome.rounds <= rounds.at_most:
            bounds = f"{rounds.at_least} to {rounds.at_most}"
            yield f"rounds: expected {bounds}, came {outcome.rounds}"
        missed = (id_ for id_ in expect.seen if id_ in known - seen)
        yield from (f"seen: never came through {id_}" for id_ in missed)
        yield from (f"unseen: came through {id_}" for id_ in expect.unseen if id_ in seen)

    def _other_winner(self, expected: str, winners: tuple[str, ...]) -> Iterator[str]:
        """Yield how the winners differ from the expected one, if they do."""
        sides = self.room.table.sides
        if len(sides) > 1:
            known, came = (*sides, NOBODY), " and ".join(winners) or NOBODY
        else:
            known, came = ("true", "false"), "true" if winners else "false"
        if expected not in known:
            yield f"won: {expected[:60]!r} is no result of this game; {suggestion(expected, known)}"
        elif expected != came and expected not in winners:
            yield f"won: expected {expected}, came {came}"


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _ids(choice: Choice) -> list[str]:
    """Return the ids of a choice: subjects in its text, and the pieces that it refers to."""
    pieces = [point.piece for point in choice.points]
    return list(dict.fromkeys([*strings_of(choice.text), *pieces]))
