"""Starting possessions: a grid of cards by investigators, with the real rules."""

from collections.abc import Iterator, Sequence

import attrs
import pytest

from client.journal.journal import Journal
from client.locale import load
from client.locale.word_store import WordStore
from client.model.model import ClientModel
from client.model.status import Online
from client.model.tables import TableView
from client.plugs.face import face_of
from client.widgets.answering import Answering, listed
from client.widgets.grid import Grid
from client.widgets.scene import Scene
from protocol.common.asks import Choice, Question
from protocol.common.events import Answered
from protocol.common.text import Text
from protocol.event import Stored, cut, hidden
from server.authoring.driver import player_key
from tests.games.second_edition.client.stage import OnStage, play
from tests.games.second_edition.simulate import Simulation, core_words, simulate

pytestmark = pytest.mark.issue(38)
LANGUAGES = ("en", "fr")
SIZES = ((18, 34), (20, 60), (24, 80), (40, 120), (60, 200))
"""Rows and columns of the terminals."""


@attrs.define
class Begun:
    """Game of the core pack at its first question: who starts with what."""

    players: int
    stored: list[Stored] = attrs.field(factory=list, init=False)
    game: Simulation = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.game = simulate(3, self.players, on_batch=lambda b: self.stored.extend(b.stored))
        self.game.open()

    @property
    def people(self) -> dict[str, int]:
        return {who.investigator_id: who.seat for who in self.game.game.investigators.values()}

    def question(self, seat: int = 0) -> Question:
        ask = self.game.room.table.room.ask
        assert ask is not None
        return ask.questions[seat].value

    def choices(self) -> Sequence[Choice]:
        """Return the choices in the order of their numbers."""
        return listed(self.question(), face_of("second_edition").listing)

    def proposal(self) -> list[tuple[str, str]]:
        """Return the cards with their proposed owners."""
        whole = self.question().choices[0].text
        return [(str(one.params[0]), str(one.params[1])) for one in parts(whole)]

    def model(self, seat: int | None = 0, language: str = "en") -> ClientModel:
        """Return the model of a player, or of a spectator, with everything received."""
        words = WordStore(core_words()[language], language)
        key = b"" if seat is None else player_key(seat).public
        model = ClientModel("Ann", key, load(language), "haunted.example:4470", words)
        model.status = Online("haunted", "", "haunted.example:4470", 0.012)
        view = TableView(self.game.room.room_id, seat)
        view.receive(tuple(cut(stored, seat) for stored in self.stored))
        model.follow(view)
        model.update_table(next_sequence=view.last + 1)
        return model

    def grid(self, choices: Sequence[Choice]) -> Grid | None:
        table = self.game.room.table
        return face_of("second_edition").grid(Scene(table, 0, self.model().speaker), choices)


def parts(text: Text) -> Iterator[Text]:
    if text.subject == "choice/carries":
        yield text
    for part in text.params:
        if isinstance(part, Text):
            yield from parts(part)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rows", "columns"), SIZES)
@pytest.mark.parametrize("players", [2, 5])
def test_a_row_for_each_thing_and_a_column_for_each_investigator(
    players: int, rows: int, columns: int, language: str
) -> None:
    """The owner's cell is marked, and each other cell has the number of its choice."""
    begun = Begun(players)
    model = begun.model(0, language)
    speaker, proposal = model.speaker, begun.proposal()

    async def look(stage: OnStage) -> None:
        lines = stage.text.split("\n")
        grid = [line for line in lines if "[x]" in line]
        if rows >= 24:
            assert len(grid) == len(proposal)
            assert all(f" {number} " in "".join(grid) for number in range(2, 2 + len(proposal)))
        assert grid
        for (card, _), line in zip(proposal, grid, strict=False):
            assert speaker.name("card", card)[:9] in line
        assert any(speaker.say("question.grid_stands") in line for line in lines)

    play(model, look, rows=rows, columns=columns)


@pytest.mark.parametrize("key", ["right", "left"])
def test_arrows_go_along_rows_and_columns(key: str) -> None:
    """Up and down choose a card, left and right an investigator; Enter proposes."""
    begun = Begun(4)

    async def choose(stage: OnStage) -> None:
        await stage.press("down", key, "enter")

    ((tag, _, (pick,)),) = play(begun.model(), choose).port.said

    chosen = next(c for c in begun.choices() if c.choice_id == pick)
    assert tag == "answer"
    assert (chosen.text.params[0], chosen.text.params[2]) == begun.proposal()[0]


def test_every_cell_is_reached_by_arrows() -> None:
    """All choices of the question are reached.

    Below the last row the cursor is at the top again.
    """
    begun = Begun(3)
    answering = Answering(0, begun.question())
    answering.grid = begun.grid(answering.choices)
    found: list[str] = []
    for _ in range(len(begun.proposal()) + 1):
        assert answering.chosen is not None
        found.append(answering.chosen.choice_id)
        if answering.is_in_grid:
            answering.move_across(1)
            assert answering.chosen is not None
            found.append(answering.chosen.choice_id)
        answering.move(1)

    assert answering.cursor == 0
    assert sorted(found) == sorted(choice.choice_id for choice in begun.choices())


def test_numbers_and_the_mouse_find_cells() -> None:
    """Enter or a second click answers."""

    async def walk(stage: OnStage) -> None:
        await stage.press("3")
        assert ">3<" in stage.text
        await stage.click(" 5 ")
        assert ">5<" in stage.text
        assert stage.port.said == []
        await stage.click(">5<")

    assert [tag for tag, *_ in play(Begun(3).model(), walk).port.said] == ["answer"]


def test_the_text_of_the_thing_under_the_cursor_stands_below() -> None:
    begun = Begun(2)
    model = begun.model()
    first, second = (
        model.speaker.details("card", card)[0][:20] for card, _ in begun.proposal()[:2]
    )

    async def look(stage: OnStage) -> None:
        assert first not in stage.text
        await stage.press("down")
        assert first in stage.text
        await stage.press("down")
        assert (first in stage.text, second in stage.text) == (first == second, True)

    play(model, look, rows=40, columns=120)


def test_two_of_a_kind_have_a_row_each() -> None:
    begun = Begun(3)
    (card, owner), *_ = begun.proposal()
    others = [who for who in begun.people if who != owner]
    pair = Text("choice/and", (Text("choice/carries", (card, owner)),) * 2)
    moves = [Text("choice/carries_instead", (card, who, owner)) for who in (*others, *others)]
    texts = [Text("choice/as_proposed", (pair,)), *moves]
    grid = begun.grid([Choice(f"0.{at}", text) for at, text in enumerate(texts)])

    assert grid is not None
    assert [[at for at in row.cells if at is not None] for row in grid.rows] == [[1, 2], [3, 4]]


def test_a_disputed_thing_says_that_it_is_voted_on() -> None:
    """A note replaces the cells of the row."""
    begun = Begun(2)
    (card, owner), (other, has), *_ = begun.proposal()
    pair = (Text("choice/carries", (card, owner), "disputed"), Text("choice/carries", (other, has)))
    free = next(who for who in begun.people if who != has)
    texts = (
        Text("choice/as_proposed", (Text("choice/and", pair),)),
        Text("choice/carries_instead", (other, free, has)),
    )
    grid = begun.grid([Choice(f"0.{at}", text) for at, text in enumerate(texts)])

    assert grid is not None
    assert [(row.note, row.owner is None) for row in grid.rows] == [
        ("question.grid_vote", True),
        ("", False),
    ]


@pytest.mark.parametrize(
    "spoilt",
    [
        (),
        ("item/a", "investigator/nobody", "investigator/b"),
        (1, 2, 3),
        (Text("choice/and"), "investigator/a", "investigator/b"),
    ],
)
def test_what_fits_no_grid_is_a_list(spoilt: tuple[str | int | Text, ...]) -> None:
    """A choice without a cell could not be reached."""
    begun = Begun(3)
    *choices, last = begun.choices()
    other = attrs.evolve(last, text=attrs.evolve(last.text, params=spoilt))

    assert begun.grid([*choices, last]) is not None
    assert begun.grid([*choices, other]) is None
    assert begun.grid([attrs.evolve(choices[0], text=Text("choice/as_proposed")), last]) is None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("watcher", [0, 1, None])
def test_everybody_learns_who_changed_the_proposal(watcher: int | None, language: str) -> None:
    """The watchers are the seat that changed it, the others, and a spectator."""
    begun = Begun(3)
    card, owner = begun.proposal()[0]
    move = next(c for c in begun.question(1).choices if c.text.params[::2] == (card, owner))
    ask = begun.game.room.table.room.ask
    assert ask is not None
    begun.game.give(Answered(1, ask.ask_id, hidden((move.choice_id,))), 1)
    by = next(who for who, seat in begun.people.items() if seat == 1)
    model = begun.model(watcher, language)
    journal = Journal(lambda: model.speaker)
    journal.begin(model.view)

    name, said = model.speaker.name("investigator", by), model.speaker.text(move.text)
    assert model.speaker.say("journal.proposes", name, said) in [
        line.text for line in journal.lines
    ]


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_a_prompt_of_any_length_leaves_the_cursor_visible(rows: int, columns: int) -> None:
    """Otherwise Enter would send a choice that the player cannot see."""
    model = Begun(3).model()
    prompt = "\x1b[2J\u202e" + "A" * 10_000
    model.words.add("en", (("ask/starting_items", (("text", prompt),)),))

    async def look(stage: OnStage) -> None:
        assert "[x]" in stage.text
        await stage.press("down")
        assert ">2<" in stage.text
        assert not {"\x1b", "\u202e"} & {*stage.text}

    play(model, look, rows=rows, columns=columns)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_the_note_of_a_disputed_thing_is_whole(rows: int, columns: int, language: str) -> None:
    """The note fits although it needs more room than two columns of letters."""
    begun = Begun(2)
    for move in range(3):
        seat = move % 2
        ask = begun.game.room.table.room.ask
        assert ask is not None
        chosen = next(c for c in begun.question(seat).choices if not c.ends)
        begun.game.give(Answered(seat, ask.ask_id, hidden((chosen.choice_id,))), seat)
    model = begun.model(0, language)

    async def look(stage: OnStage) -> None:
        assert model.speaker.say("question.grid_vote") in stage.text

    play(model, look, rows=rows, columns=columns)
