"""A game comes out by sides, or for nobody, with scores: every list and report says so."""

import json

import attrs
import pytest

from client.commands.replays import page
from client.commands.robots import _result as bots_result
from client.exports.figures import in_lines
from client.exports.statistics import counted
from client.journal.journal import Journal
from client.locale import LANGUAGES, load
from client.model.viewpoints import EVERYTHING, seen_from
from client.plain.client import PlainClient
from client.screens.base.screen import Desk
from client.screens.lobby.found_words import found_line
from client.screens.lobby.result_words import result_line
from client.screens.ui import Ui
from client.settings.preferences import Charset, Preferences
from protocol import archive, codec, messages
from protocol.archive import Archive
from protocol.common.table import GameEnd, Score, Settings
from server.lobby.rooms.summary import _End1, _Summary3, read_summary
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.results import CONTENTS, finished, play_on
from tests.games.woods.table import Party, a_game, a_party, begin
from tests.kit.servers.house import Client
from tests.kit.servers.tables import room_id_of

pytestmark = pytest.mark.issue(39)

BERRIES, FALLEN = "score/berries", "score/fallen"
RESULTS = {
    "animal": GameEnd((ANIMAL,), 1, (Score(BERRIES, ANIMAL, 4), Score(FALLEN, KEEPER, 0))),
    "keeper": GameEnd((KEEPER,), 3, (Score(BERRIES, ANIMAL, 0), Score(FALLEN, KEEPER, 5))),
    "nobody": GameEnd((), 1, (Score(BERRIES, ANIMAL, 4), Score(FALLEN, KEEPER, 0))),
}
SAID = {
    ("animal", "en"): (
        "Winner: Animal, round 1.",
        "Berries (Animal): 4, animals caught (Keeper): 0.",
    ),
    ("keeper", "en"): (
        "Winner: Keeper, round 3.",
        "Berries (Animal): 0, animals caught (Keeper): 5.",
    ),
    ("nobody", "en"): ("Nobody won, round 1.", "Berries (Animal): 4, animals caught (Keeper): 0."),
    ("animal", "fr"): (
        "Vainqueur\u00a0: Animal, manche 1.",
        "Baies (Animal)\u00a0: 4, animaux pris (Garde)\u00a0: 0.",
    ),
    ("keeper", "fr"): (
        "Vainqueur\u00a0: Garde, manche 3.",
        "Baies (Animal)\u00a0: 0, animaux pris (Garde)\u00a0: 5.",
    ),
    ("nobody", "fr"): (
        "Personne n’a gagné, manche 1.",
        "Baies (Animal)\u00a0: 4, animaux pris (Garde)\u00a0: 0.",
    ),
}


def speaking(client: Client, language: str) -> None:
    """Switch a client's language, and let the server send its words again."""
    client.port.set_language(language)
    client.house.settle()


def one_line(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("winner", RESULTS)
def test_a_game_comes_out_by_sides_with_scores(winner: str) -> None:
    party = finished(winner)
    room = party.house.host_of(party.kim).room.table.room

    assert party.game.came_out() == RESULTS[winner]
    won = [party.game.has_won(room, seat) for seat in room.seats]
    assert won == [winner == KEEPER, winner == ANIMAL, winner == ANIMAL]


@pytest.mark.parametrize("winner", RESULTS)
def test_its_summary_has_winners_scores_and_sides(winner: str) -> None:
    party = finished(winner)
    room_id = room_id_of(party.kim)

    stored = read_summary(party.house.store._values["summary", room_id])

    assert stored == party.house.lobby.registry.summaries[room_id]
    assert stored.end == RESULTS[winner]
    assert stored.sides == (KEEPER, ANIMAL, ANIMAL)
    assert stored.has_sides


@pytest.mark.parametrize("is_won", [True, False])
def test_a_summary_from_before_sides_is_read(*, is_won: bool) -> None:
    """Then there was only a game in which all players are on one side."""
    party = finished(KEEPER)
    now = party.house.lobby.registry.summaries[room_id_of(party.kim)]
    fields = attrs.asdict(now, recurse=False) | {"end": _End1(is_won, 5)}
    del fields["sides"]

    read = read_summary(codec.encode(_Summary3(**fields), _Summary3))

    side = ("investigator",)
    assert read == attrs.evolve(now, end=GameEnd(side if is_won else (), 5), sides=side * 3)
    assert not read.has_sides


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("winner", RESULTS)
def test_screen_and_journal_say_who_won(winner: str, language: str) -> None:
    party = finished(winner)
    ann = party.others[0]
    speaking(ann, language)
    journal = Journal(lambda: ann.model.speaker)
    journal.begin(ann.model.view)
    ui = Ui(Desk(ann.model, ann.port, journal, prefs=Preferences(story=False)))
    own = {
        ("animal", "en"): "You have won.",
        ("keeper", "en"): "You have lost.",
        ("animal", "fr"): "Vous avez gagné.",
        ("keeper", "fr"): "Vous avez perdu.",
    }.get((winner, language), "")

    drawn = one_line(ui.draw(40, 160).plain())

    who, scores = SAID[winner, language]
    assert own in drawn
    assert drawn.count(one_line(who)) == 2, "once in place of the question, once in the journal"
    assert one_line(scores) in drawn


@pytest.mark.parametrize("winner", RESULTS)
def test_plain_lines_say_who_won(winner: str) -> None:
    party = a_game(content=CONTENTS[winner])
    printed: list[str] = []
    ben = party.others[1]
    PlainClient(ben.model, ben.port, printed.append).update()

    play_on(party, winner)

    for line in SAID[winner, "en"]:
        assert line in printed
    own = {"animal": "You have won. ", "keeper": "You have lost. "}.get(winner, "")
    assert printed[-1].startswith(f"{own}The game is over.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("winner", RESULTS)
def test_an_exported_game_says_who_won(winner: str, language: str) -> None:
    """Its words are in the file, although no record names the scores."""
    file = exported(finished(winner).kim)

    head = page(file, load(language), None).partition("</h1>")[2].partition("<script")[0]

    told = " ".join(SAID[winner, language])
    assert one_line(head).startswith(f'<p id="result">{one_line(told)}</p>')


def exported(client: Client) -> Archive:
    """Return the file of a finished game, as its server exports it."""
    client.send(messages.ExportTable(client.next_serial(), room_id_of(client)))
    client.house.settle()
    return archive.load(b"".join(part.data for part in client.session.all(messages.ExportPart)))


def test_statistics_count_wins_by_side_and_scores() -> None:
    files = [exported(finished(winner).kim) for winner in ("keeper", "keeper", "animal", "nobody")]

    (found,) = counted(seen_from(file, EVERYTHING) for file in files)

    charts = json.loads(json.dumps(found.as_json()))["charts"]
    assert [(row["row"], row["amount"]) for row in charts["winners"]] == [
        (KEEPER, 2),
        (ANIMAL, 1),
        ("nobody", 1),
    ]
    assert [(row["row"], row["amount"]) for row in charts["scores"]] == [(BERRIES, 8), (FALLEN, 10)]
    speaker = finished("keeper").kim.model.speaker
    lines = [one_line(line) for line in in_lines(found, speaker, Charset.ASCII)]
    assert lines[2:6] == [
        "Games won",
        "Keeper 2 ########################",
        "Animal 1 ############",
        "nobody 1 ############",
    ]


def test_a_bot_reports_winners_and_scores() -> None:
    party = finished(KEEPER)
    ann = party.others[0].model.view
    assert ann is not None

    assert bots_result(ann.table, ann.seat) == {
        "won": False,
        "round": 3,
        "winners": [KEEPER],
        "scores": [
            {"name": BERRIES, "side": ANIMAL, "value": 0},
            {"name": FALLEN, "side": KEEPER, "value": 5},
        ],
    }


def words_of(client: Client) -> set[str]:
    """Return the subjects whose words a client was sent."""
    return {
        subject for message in client.session.all(messages.Words) for subject, _ in message.subjects
    }


def test_nobody_has_the_words_of_a_result_before_they_see_it() -> None:
    """A delayed spectator would else know by them that the game is over."""
    settings = Settings(spectators=True, spectators_delay_seconds=60)
    party = a_game(settings)
    wat = party.house.client("Wat")
    wat.port.watch(party.kim.session.last(messages.TableOpened).watch_code)
    party.house.settle()
    for client in (party.kim, *party.others, wat):
        assert BERRIES not in words_of(client)

    play_on(party, KEEPER)

    assert BERRIES in words_of(party.kim)
    assert BERRIES not in words_of(wat)
    party.house.settle(61)
    assert BERRIES in words_of(wat)


# Lists -------------------------------------------------------------------------------------


def asked(client: Client, message: messages.ClientMessage) -> messages.ServerMessage:
    """Return the reply to a message."""
    client.send(message)
    client.house.settle(0.2)
    return [m for m in client.session.sent if getattr(m, "serial", None) == message.serial][-1]


def with_setup(settings: Settings | None = None) -> tuple[Party, Client, str]:
    """Return a game of a fixed setup, with the owner and the code of the setup."""
    party = a_party(settings=settings, content=CONTENTS[KEEPER])
    owner = party.house.client("Owner")
    made = asked(owner, messages.MakeSetup(owner.next_serial()))
    assert isinstance(made, messages.SetupMade)
    kim = party.kim
    asked(kim, messages.FixSetup(kim.next_serial(), room_id_of(kim), made.code))
    begin(party)
    return party, owner, made.code


def results(client: Client, code: str) -> messages.ServerMessage:
    return asked(client, messages.ListResults(client.next_serial(), code))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_results_of_a_setup_are_by_side_with_scores(language: str) -> None:
    """The owner has no seat, so that the words of the result come with the list."""
    party, owner, code = with_setup()
    play_on(party, KEEPER)
    speaking(owner, language)
    asked(owner, messages.CloseSetup(owner.next_serial(), code))
    assert BERRIES not in words_of(owner)

    found = results(owner, code)

    assert isinstance(found, messages.SetupResults)
    (line,) = found.lines
    assert line.outcome is messages.GameResult.SIDES
    assert (line.winners, line.scores) == ((KEEPER,), RESULTS[KEEPER].scores)
    assert line.rounds == 3
    said = result_line(owner.model, line, None)
    end = {
        "en": "winner: Keeper, round 3; berries (Animal): 0, animals caught (Keeper): 5",
        "fr": "vainqueur\u00a0: Garde, manche 3; "
        "baies (Animal)\u00a0: 0, animaux pris (Garde)\u00a0: 5",
    }
    assert said.endswith(f"; {end[language]}")


def test_nobody_reads_a_result_of_a_setup_before_it_is_closed() -> None:
    party, owner, code = with_setup()
    play_on(party, KEEPER)
    ann = party.others[0]

    for client in (owner, ann, party.house.client("Eve")):
        assert isinstance(results(client, code), messages.Refusal)
        assert client is ann or BERRIES not in words_of(client)


def test_a_result_of_others_is_read_once_their_delay_is_over() -> None:
    settings = Settings(spectators=True, spectators_delay_seconds=600)
    party, owner, code = with_setup(settings)
    play_on(party, KEEPER)
    asked(owner, messages.CloseSetup(owner.next_serial(), code))

    before = results(owner, code)
    assert isinstance(before, messages.SetupResults)
    assert before.lines == ()
    assert BERRIES not in words_of(owner)
    assert isinstance(mine := results(party.kim, code), messages.SetupResults)
    assert mine.lines[0].winners == (KEEPER,)

    party.house.settle(601)
    after = results(owner, code)
    assert isinstance(after, messages.SetupResults)
    assert after.lines[0].winners == (KEEPER,)


@pytest.mark.parametrize(
    ("winner", "said"),
    [
        ("animal", "; winner: Animal"),
        ("keeper", "; winner: Keeper"),
        ("nobody", "; nobody won"),
    ],
)
def test_the_list_of_finished_games_says_who_won(winner: str, said: str) -> None:
    """Others read it once all seats have agreed to show the game."""
    party = finished(winner)
    eve = party.house.client("Eve")

    def found(client: Client) -> tuple[messages.FoundGame, ...]:
        wanted = messages.FindGames(client.next_serial(), "", 0, 0, 0, 0, "")
        reply = asked(client, wanted)
        assert isinstance(reply, messages.GamesFound)
        return reply.lines

    assert found(eve) == ()
    (mine,) = found(party.kim)
    for client in (party.kim, *party.others):
        share = messages.ShareGame(client.next_serial(), room_id_of(client), is_agreed=True)
        asked(client, share)
    (line,) = found(eve)

    assert mine.outcome is line.outcome is messages.GameResult.SIDES
    assert mine.winners == line.winners == RESULTS[winner].winners
    shown = f"A Night in the Woods: Kim, Ann, Ben{said} [open to everybody here]"
    assert found_line(eve.model, line, None) == shown
    printed: list[str] = []
    PlainClient(eve.model, eve.port, printed.append).hear("games")
    eve.house.settle()
    assert any(f"Kim, Ann, Ben{said}; " in one for one in printed)
