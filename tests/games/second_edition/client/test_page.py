"""Whole game as one HTML page: its content, its policy, and its rendering in a real browser."""

import functools
import html.parser
import json
import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from client.commands.replays import page
from client.exports.drawings import NARROW_COLUMNS, NARROW_ROWS, SIZES
from client.exports.figures import in_svg
from client.exports.statistics import counted
from client.journal.replay_model import replayed, words_of
from client.locale import load as locale_of
from client.locale.speaker import Speaker
from client.model.viewpoints import EVERYTHING, seen_from
from client.screens.review.replay_words import ReplayWords
from client.widgets.canvas import Canvas
from client.widgets.frame import Frame
from client.widgets.scene import Scene
from protocol.archive import MAGIC, Archive, Header, WordsOf, load, write
from protocol.common.text import subjects_in
from protocol.event import everything
from protocol.event_contents import shown_strings
from server.lobby.views.words import Wordsmith
from tests.games.second_edition.simulate import core_words, finished_game
from tests.kit.hostile import hostile_words
from tests.kit.terminals.browser import Tab, browsing, needs_browser
from tests.kit.terminals.pages import shown_by
from tests.verifying.files import FORGER
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(17)

END = 160
"""Sequence of the last event that most of these tests show."""
DESK, PHONE = (1440, 900), (390, 844)


@functools.cache
def archive() -> Archive:
    """Return the complete archive of a finished game of three, with the server's words."""
    room = finished_game()
    cuts = [everything(stored) for stored in room.log]
    subjects = dict.fromkeys(one for cut in cuts for one in subjects_in(shown_strings(cut)))
    words = [
        WordsOf(chunk.language, chunk.subjects)
        for language in sorted(core_words())
        for chunk in Wordsmith(language).for_subjects(core_words(), subjects)
    ]
    header = Header(MAGIC, room.room_id, True, -1, 0, 1, FORGER.public, len(cuts))
    return load(b"".join(write(header, cuts, words, sign=FORGER.sign)))


@functools.cache
def beginning() -> Archive:
    """Return the same archive, cut after the last event that the tests show."""
    cuts, records = archive().cuts[: END + 1], archive().records[: END + 1]
    return attrs.evolve(archive(), cuts=cuts, records=records)


@functools.cache
def text(language: str = "en") -> str:
    """Return the HTML page of the archive from `beginning`."""
    return page(beginning(), locale_of(language), None)


class _Tags(html.parser.HTMLParser):
    """Parser that lists each element with the names of its attributes."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))


def drawing(position: int, size: str = "rows") -> list[str]:
    """Return the rows that the client draws at a position, all secrets open."""
    replay = replayed(beginning())
    replay.go_to(position - 1)
    locale = locale_of("en").for_game("second_edition")
    speaker = Speaker(locale, words_of(archive(), "en"))
    told = [line for line in replay.journal(speaker) if line.sequence < position]
    scene, canvas = Scene(replay.table, None, speaker), Canvas(*SIZES[size])
    words = ReplayWords(replay, scene)
    assert replay.table.game is not None
    frame = Frame(
        scene=scene,
        moment=replay.face.moment(replay.table.game),
        journal=[line for line in told if line.sequence == position - 1],
        connection="all open",
        is_away=False,
        title="pane.replay",
        note=list(words.note(told)),
    )
    replay.face.layout_for().draw(canvas.pane(), frame)
    return canvas.plain().split("\n")


def test_it_allows_nothing_but_what_stands_in_it() -> None:
    """The page names no network address, and its policy allows none."""
    document = text()

    assert "default-src 'none'; script-src 'sha256-" in document
    assert "unsafe" not in document
    assert not re.search(r"https?:|//\w|url\(|@import|\bsrc=|\bhref=", without_data(document))


def without_data(document: str) -> str:
    """Return a page without its compressed data, which may contain any letters."""
    return re.sub(r'(id="game">)[^<]*', r"\1", document)


def test_it_has_all_views_with_steps_journal_and_moments() -> None:
    game = shown_by(text())

    assert [view["name"] for view in game["views"]][::4] == ["all open", "as the table knew it"]
    assert len(game["views"]) == 5
    for view in game["views"]:
        assert view["steps"][-1]["event"] == END
        assert view["journal"]
    named = {
        row
        for view in game["views"]
        for step in view["steps"]
        for size in SIZES
        for row in step[size][1::2]
    }
    assert named == set(range(len(game["rows"])))
    assert game["views"][0]["moments"]


@pytest.mark.issue(38)
def test_a_phone_has_screens_of_its_own_that_can_be_read() -> None:
    """On a phone the page shows the client's narrow screens, in letters of 13 pixels."""
    document, game = text(), shown_by(text())
    seen: dict[int, int] = {}
    for step in game["views"][0]["steps"]:
        seen.update(zip(step["narrow"][::2], step["narrow"][1::2], strict=True))
    shown = ["".join(game["rows"][seen[at]][1::2]).rstrip() for at in range(NARROW_ROWS)]

    assert shown == [line.rstrip() for line in drawing(END + 1, "narrow")]
    phone = document.split("@media (max-width: 40rem) {")[1].split("}\n}")[0]
    assert f"--columns: {NARROW_COLUMNS}" in phone
    assert 'matchMedia("(max-width: 40rem)")' in document
    assert (PHONE[0] - 32) / NARROW_COLUMNS / 0.6025 > 13


def test_one_view_can_be_asked_for_alone() -> None:
    document = page(beginning(), locale_of("en"), None, "table")

    assert [view["name"] for view in shown_by(document)["views"]] == ["as the table knew it"]


def test_a_running_games_page_shows_its_seats_view_and_nothing_else() -> None:
    """The file that a seat may download has no other view."""
    room = finished_game()
    mine = load(file_of(room, 1))

    views = shown_by(page(mine, locale_of("en"), END))["views"]
    name = Speaker(locale_of("en"), words_of(mine, "en")).seat(replayed(mine).tables[-1], 1)

    assert [view["name"] for view in views] == [
        f"as {name} knew it",
        "as the table knew it",
    ]
    whole = shown_by(text())["views"]
    told = [{event for event, _, _ in view["journal"]} for view in (*views, whole[2], whole[4])]
    assert told[:2] == told[2:]


def test_every_string_of_strangers_is_text_where_it_stands() -> None:
    usual = _Tags(page(beginning(), locale_of("en"), 0, "table")).found
    for word in hostile_words(60):
        document = page(_renamed(word), locale_of("en"), 0, "table")
        assert _Tags(document).found == usual, repr(word)


def _renamed(word: str) -> Archive:
    """Return the game with every name replaced by a hostile word."""
    words = tuple(
        WordsOf(
            chunk.language, tuple((subject, (("name", word),)) for subject, _ in chunk.subjects)
        )
        for chunk in archive().words
    )
    return attrs.evolve(beginning(), words=words)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_word_of_the_page_is_missing(language: str) -> None:
    document = without_data(text(language))

    assert f'<html lang="{language}">' in document
    assert "&lt;page." not in document
    assert "<page." not in document


@pytest.mark.long
def test_a_game_of_three_hours_takes_less_than_a_mebibyte() -> None:
    """The game has more than 1,500 events, five viewpoints and all words."""
    assert len(archive().records) > 1500
    assert len(page(archive(), locale_of("en"), None).encode()) < 1 << 20


# In a browser ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """Start one browser for all tests."""
    with browsing(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def opened(tab: Tab, path: Path, size: tuple[int, int] = DESK) -> None:
    """Open the page of the game's beginning."""
    tab.told.clear()
    file = path / "game.html"
    file.write_text(text(), "utf-8")
    tab.size(*size, is_phone=size == PHONE)
    tab.open(file)


def inner(tab: Tab, name: str) -> str:
    found = tab.value(f"document.getElementById({json.dumps(name)}).innerText")
    assert isinstance(found, str)
    return found


def rows(tab: Tab) -> list[str]:
    found = tab.value(
        "[...document.getElementById('drawing').children].map((row) => row.textContent.trimEnd())"
    )
    assert isinstance(found, list)
    return found


@needs_browser
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_steps_show_the_clients_own_drawings(
    tab: Tab, tmp_path: Path, size: tuple[int, int]
) -> None:
    opened(tab, tmp_path, size)
    stops = [step["event"] for step in shown_by(text())["views"][0]["steps"]]
    form = "narrow" if size == PHONE else "rows"

    assert rows(tab) == drawing(END + 1, form)
    tab.press("Home")
    for _ in range(30):
        tab.press("ArrowRight")
    assert rows(tab) == drawing(stops[30] + 1, form)
    for _ in range(5):
        tab.press("ArrowLeft")
    assert rows(tab) == drawing(stops[25] + 1, form)
    assert inner(tab, "place") == f"Event {stops[25] + 1} of {END + 1}"
    tab.press("End")
    assert rows(tab) == drawing(END + 1, form)

    assert tab.value("document.documentElement.scrollWidth <= window.innerWidth")
    assert tab.value("(d => d.scrollWidth <= d.clientWidth)(document.getElementById('drawing'))")
    assert tab.faults() == []


@needs_browser
def test_a_finger_takes_a_step_and_buttons_are_large_enough(tab: Tab, tmp_path: Path) -> None:
    opened(tab, tmp_path, PHONE)
    tab.press("Home")
    first = inner(tab, "place")

    y = tab.value("document.getElementById('drawing').getBoundingClientRect().top + 50")
    tab.swipe((300, y), (100, y))

    assert inner(tab, "place") != first
    assert tab.value(
        "[...document.querySelectorAll('button')].every((b) => b.offsetHeight >= 40"
        " && b.offsetWidth >= 40)"
    )


@needs_browser
def test_a_reader_of_the_screen_is_told_each_step(tab: Tab, tmp_path: Path) -> None:
    opened(tab, tmp_path)
    tab.press("End")
    step = shown_by(text())["views"][0]["steps"][-1]

    assert tab.value("document.getElementById('drawing').getAttribute('role')") == "img"
    label = tab.value("document.getElementById('drawing').getAttribute('aria-label')")
    assert label == f"Event {END + 1} of {END + 1}, all open. {' '.join(step['note'])}"
    assert tab.value("document.getElementById('note').getAttribute('aria-live')") == "polite"
    assert inner(tab, "note").split("\n") == step["note"]
    tree = tab.do("Accessibility.getFullAXTree")["nodes"]
    controls = [
        node
        for node in tree
        if node.get("role", {}).get("value") in {"button", "combobox", "slider", "searchbox"}
    ]
    assert len(controls) >= 12
    assert [node for node in controls if not node["name"].get("value")] == []


@needs_browser
def test_views_moments_and_search_lead_through_the_game(tab: Tab, tmp_path: Path) -> None:
    opened(tab, tmp_path)
    game = shown_by(text())
    tab.press("End")
    tab.press("v")
    assert tab.value("document.getElementById('view').selectedIndex") == 1
    assert inner(tab, "place") == f"Event {END + 1} of {END + 1}"
    assert game["views"][1]["name"] in rows(tab)[0]

    event, _ = game["views"][1]["moments"][0]
    tab.value(
        "(m => { m.selectedIndex = 1; m.dispatchEvent(new Event('change')) })"
        "(document.getElementById('moments'))"
    )
    assert inner(tab, "place") == f"Event {event + 1} of {END + 1}"

    line = next(line for line in game["views"][1]["journal"] if line[0] > event)
    tab.value(f"document.getElementById('search').value = {json.dumps(line[2].upper())}")
    tab.value("document.getElementById('drawing').focus()")
    tab.press("n")
    assert inner(tab, "place") == f"Event {line[0] + 1} of {END + 1}"
    assert tab.faults() == []


@needs_browser
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_the_numbers_are_seen_whole(tab: Tab, tmp_path: Path, size: tuple[int, int]) -> None:
    # Those of the whole game: in its beginning little has happened.
    speaker = Speaker(locale_of("fr").for_game("second_edition"), words_of(archive(), "fr"))
    (found,) = counted([seen_from(archive(), EVERYTHING)])
    file = tmp_path / "numbers.html"
    file.write_text(text().replace("</figure>", f"</figure>{in_svg(found, speaker)}", 1), "utf-8")
    tab.size(*size, is_phone=size == PHONE)
    tab.open(file)

    assert tab.value("document.querySelectorAll('figure svg').length") > 8
    assert tab.value(
        "[...document.querySelectorAll('figure svg')].every((svg) => {"
        " const box = svg.getBoundingClientRect();"
        " return [...svg.querySelectorAll('text')].every((text) => {"
        "  const it = text.getBoundingClientRect();"
        "  return it.left >= box.left && it.right <= box.right && it.height >= 11 }) })"
    )


@needs_browser
def test_hostile_words_do_nothing_in_a_browser(tab: Tab, tmp_path: Path) -> None:
    """Hostile words appear as text and create no element."""
    word = "<img src=x onerror='window.owned=1'></script><script>window.owned=1</script>"
    file = tmp_path / "hostile.html"
    tab.told.clear()
    file.write_text(page(_renamed(word), locale_of("en"), END), "utf-8")
    tab.open(file)
    tab.press("End")

    assert tab.value("window.owned") is None
    assert tab.value("document.querySelectorAll('script').length") == 3
    assert tab.value("document.querySelectorAll('img').length") == 0
    assert word in tab.value("document.title")
    assert tab.faults() == []


@needs_browser
def test_the_policy_stops_what_was_put_in(tab: Tab, tmp_path: Path) -> None:
    """An injected script does not run, and an external image is not loaded."""
    planted = "<script>window.owned=1</script><img src='https://elsewhere.invalid/x.png'></main>"
    file = tmp_path / "planted.html"
    tab.told.clear()
    file.write_text(text().replace("</main>", planted), "utf-8")
    tab.open(file)

    assert tab.value("window.owned") is None
    assert any("Content Security Policy" in json.dumps(fault) for fault in tab.faults())
