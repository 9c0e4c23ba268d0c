"""Key bindings: unambiguous, every context can be left, and players can change them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

import attrs
import pytest
from prompt_toolkit.key_binding import KeyBindings

from client.keymap.key_names import NAMES, UnknownKey, name_of, nearest, read_key, written
from client.keymap.keys import SHARED, USUAL, Action, BadKeys, Context, KeyMap
from client.locale import LANGUAGES, load
from client.screens.base.boxes import Item, Menu
from protocol.plugs import games
from tests.games.second_edition.client.scripted import asked
from tests.games.second_edition.client.stage import OnStage, model_of, play


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("context", Context)
def test_a_key_means_one_thing(context: Context, game: str) -> None:
    """Two games may use the same keys: nobody plays both on one screen at once."""
    bindings = USUAL.in_game(game).bindings_in(context)
    keys = [key for binding in bindings for key in binding.keys]

    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("context", Context)
def test_every_context_can_be_left(context: Context) -> None:
    actions = {USUAL.action_for(context, key) for key in ("escape", "q")}

    assert actions & {Action.BACK, Action.LEAVE}
    assert USUAL.action_for(context, "c-c") is Action.QUIT


def test_every_action_has_a_key() -> None:
    """An action without a key is dead code."""
    assert {binding.action for binding in USUAL.bindings} >= set(SHARED)


def test_an_action_has_the_same_keys_wherever_they_can_be_changed() -> None:
    """One line of the settings file names the keys of an action."""
    keys = defaultdict(set)
    for binding in USUAL.bindings:
        if not binding.is_fixed:
            keys[binding.action].add(binding.keys)

    assert {action for action, ways in keys.items() if len(ways) > 1} == set()


# Changed by a player -----------------------------------------------------------------------


def test_other_keys_take_the_place_of_the_usual_ones() -> None:
    keys = KeyMap.with_wishes({"chat": ["k", "ctrl-l"]})

    for context in (Context.WAITING, Context.ROOM):
        assert keys.action_for(context, "k") is Action.CHAT
        assert keys.action_for(context, "c-l") is Action.CHAT
        assert keys.action_for(context, "c") is None
    assert keys.action_for(Context.ROOM, "j") is Action.JOURNAL


def test_writing_down_all_usual_keys_changes_nothing() -> None:
    """Uncommenting every line of a new settings file changes nothing."""
    wishes = {one.value: [written(key) for key in USUAL.keys_for(one)] for one in USUAL.rebindable}

    assert KeyMap.with_wishes(wishes) == USUAL


def test_what_ends_typing_and_boxes_cannot_be_taken_away() -> None:
    """Esc ends typing, Enter closes a box and Ctrl-C quits in every configuration."""
    keys = KeyMap.with_wishes({"back": ["x"], "leave": ["f10"]})

    assert keys.action_for(Context.MENU, "x") is Action.BACK
    assert keys.action_for(Context.ENTRY, "x") is None
    assert keys.action_for(Context.ENTRY, "escape") is Action.BACK
    assert keys.action_for(Context.BOX, "enter") is Action.BACK
    assert keys.action_for(Context.ROOM, "c-c") is Action.QUIT


@pytest.mark.parametrize(
    ("wishes", "action", "told"),
    [
        ({"chatt": ["c"]}, "chatt", "no action called chatt; did you mean chat?"),
        ({"fly": ["c"]}, "fly", "there is no action called fly"),
        ({"quit": ["x"]}, "quit", "cannot be changed"),
        ({"send": ["x"]}, "send", "cannot be changed"),
        ({"digit": ["x"]}, "digit", "cannot be changed"),
        ({"chat": []}, "chat", "at least one key"),
        ({"chat": ["c", "c"]}, "chat", "is listed twice"),
        ({"chat": ["ctrl-c"]}, "chat", "ctrl-c always ends the program"),
        ({"chat": ["page up"]}, "chat", "no key called page up; did you mean pageup?"),
        ({"chat": ["ctrl-m"]}, "chat", "no key called ctrl-m"),
        ({"chat": ["wheel"]}, "chat", "one character or one of: space, enter, tab"),
        ({"chat": [""]}, "chat", "no key called"),
        ({"chat": ["\x1b"]}, "chat", "no key called"),
        ({"chat": ["j"]}, "chat", "j means journal already in the game"),
        ({"journal": ["c"]}, "journal", "c means chat already in the game"),
        ({"chat": ["z"], "journal": ["z"]}, "journal", "z means chat already in the game"),
        ({"mark": ["5"]}, "mark", "5 means digit already in the game"),
        ({"earlier": ["q"]}, "earlier", "q means back already in the story"),
    ],
)
def test_keys_that_make_no_sense_are_told(
    wishes: Mapping[str, Sequence[str]], action: str, told: str
) -> None:
    with pytest.raises(BadKeys) as caught:
        KeyMap.with_wishes(wishes)

    assert caught.value.action == action
    assert told in caught.value.in_words(load("en"))
    assert "<" not in caught.value.in_words(load("fr"))


def test_every_name_is_a_key_that_the_terminal_can_send() -> None:
    bindings = KeyBindings()
    for name, key in NAMES.items():
        bindings.add(key)(lambda _: None)
        assert read_key(name.upper()) == key
        assert written(key) == name

    assert len(set(NAMES.values())) == len(NAMES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_can_be_named_to_people(language: str) -> None:
    locale = load(language)

    names = {key: name_of(key, locale) for key in (*NAMES.values(), "c", "?", "c-c")}

    assert not any("<" in name or name[:2] in {"s-", "c-"} for name in names.values())
    assert len(set(names.values())) == len(names)


def test_a_mark_without_a_letter_is_no_key() -> None:
    """A combining mark alone can be neither typed nor read."""
    with pytest.raises(UnknownKey):
        read_key("\u0301")


def test_nothing_near_is_nothing() -> None:
    """A name that resembles no key gets no suggestion."""
    assert nearest("xyzzy", ("up", "down")) is None


# On the screen -----------------------------------------------------------------------------


def test_a_changed_key_works_and_is_named_everywhere() -> None:
    model = model_of(asked())
    keys = KeyMap.with_wishes({"chat": ["k"], "help": ["f2"], "back": ["x"]})
    model.locale = attrs.evolve(model.locale, keys=keys)

    async def look(stage: OnStage) -> None:
        assert "k chat" in stage.text
        assert "F2 help" in stage.text
        await stage.press("c")
        assert "! c does nothing here; F2 helps" in stage.text
        await stage.press_raw("\x1bOQ")
        assert "k              say something to the table" in stage.text
        await stage.press("x", "k", "h", "x", "enter")

    assert play(model, look, rows=50, columns=100).port.said == [("chat", "hx")]


def test_a_key_that_ends_typing_can_begin_it_too() -> None:
    model = model_of(asked())

    async def look(stage: OnStage) -> None:
        await stage.press("tab", "c", "tab", "down", "enter")

    assert play(model, look).port.said == [("answer", 0, ("1.2",))]


def test_a_long_menu_is_paged_and_led_to_its_ends() -> None:
    """The timeline of a round has dozens of lines."""

    async def press(stage: OnStage) -> None:
        ran = list[int]()
        desk = stage.terminal.ui.desk
        items = [Item(f"line {at}", partial(ran.append, at)) for at in range(35)]
        for keys, chosen in (
            (("pagedown",), 10),
            (("end",), 34),
            (("end", "pagedown"), 34),
            (("end", "pageup"), 24),
            (("end", "home"), 0),
        ):
            desk.open(Menu(desk, "box.timeline", items))
            await stage.press(*keys, "enter")
            assert ran.pop() == chosen

    play(model_of(asked()), press)
