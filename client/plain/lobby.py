"""Commands of the lobby and the waiting room: tables, invitations, preparations for a game."""

from collections.abc import Iterable, Sequence
from functools import partial

from client.keymap.keys import Action
from client.model import setups
from client.model.lobby import sorted_tables
from client.model.model import ANY_SEAT, WATCH
from client.model.possible import impossible
from client.model.roles import missing_in_words
from client.plain import found_games, words
from client.plain.choice import (
    MOST_ECHOED,
    UnknownCommand,
    UnreadableCommand,
    find_several,
    is_number,
    place_in,
)
from client.plain.command import Command, Takes
from client.plain.found_games import results, together
from client.plain.match import telling
from client.plain.naming import little_words
from client.plain.notes import do_notes, pieces_in
from client.plain.settings import read_settings, setting_word, unusual_settings
from client.plain.talk import PlayerPlace, Talk
from client.plugs.face import face_of
from client.plugs.preparation import UnwritableLines
from client.settings.preferences import Charset
from client.text.ascii_fold import folded_words
from client.widgets.scene import Scene
from protocol.bounds import MAX_PASSWORD
from protocol.common.padded import Padded
from protocol.invitation import UnreadableInvitation, parse_code, parse_invitation
from protocol.messages import GameLine, TableLine
from protocol.plain_text import clean


def tables(talk: Talk, _: str) -> None:
    talk.port.list_tables()
    # Later, once the reply has arrived.
    talk.later.append(lambda: talk.print_for("enter", words.tables_lines(talk.speaker, talk.model)))


def enter(talk: Talk, argument: str) -> None:
    """Enter one of the player's tables, by default the first of the list."""
    known = _known(talk)
    if talk.is_word(argument, "last"):
        if not talk.model.lobby.last_room:
            raise UnreadableCommand("wrong.no_last")
        talk.port.enter(talk.model.lobby.last_room)
        return
    at = talk.which(argument, _titles(talk)) if argument else place_in("1", len(known))
    talk.port.enter(known[at].room_id)


def _known(talk: Talk) -> list[TableLine]:
    return sorted_tables(talk.model.lobby.tables or ())


def _titles(talk: Talk) -> Iterable[str]:
    return [talk.model.title(line.scenario) for line in _known(talk)]


def review(talk: Talk, argument: str) -> None:
    """Open a replay of the game of the followed table, or of a table in the list."""
    if talk.model.view is not None:
        talk.port.fetch_game(talk.model.view.room_id, talk.open_replay)
        return
    known = _known(talk)
    at = talk.which(argument, _titles(talk)) if argument else place_in("1", len(known))
    talk.port.fetch_game(known[at].room_id, talk.open_replay)


def note(talk: Talk, argument: str) -> None:
    """List the notes on this game, add a note, or remove a note."""
    view = talk.view()
    books = talk.model.note_books
    scene = Scene(view.table, view.seat, talk.speaker, Charset.ASCII)
    face = face_of(view.table.room.ruleset)
    pieces = partial(pieces_in, face, view.role, scene)
    talk.print(do_notes(talk.speaker, books, view.room_id, view.last, argument, pieces))


def leave(talk: Talk, _: str) -> None:
    """Leave the table but keep the seat."""
    talk.view()
    is_practising = talk.model.is_practising
    talk.port.leave_table()
    if not is_practising:
        # Leaving practice leads back to the replay, not to the list.
        tables(talk, "")


def stand(talk: Talk, _: str) -> None:
    talk.view()
    talk.port.leave_seat()
    tables(talk, "")


def open_(talk: Talk, argument: str) -> None:
    """
    Open a table for a scenario by its number or name, with settings; or list the scenarios.

    The name of a game lists its scenarios alone.
    """
    lobby = talk.model.lobby
    known, games = lobby.offered, lobby.offered_games
    typed, locale = argument.split(), talk.model.locale
    count = 1
    if not is_number(argument[:1]):
        # A title has at least one word, and ends before the first word of a setting.
        ends = (at for at, word in enumerate(typed) if at and setting_word(word, locale))
        count = next(ends, len(typed))
    which = " ".join(typed[:count])
    wanted = [g for g in games if which and _is_game(talk, g, which)] if len(games) > 1 else []
    if wanted or (not which and len(known) > 1):
        _list_offered(talk, wanted or games)
        return
    at = talk.which_scenario(which, known) if which else place_in("1", len(known))
    game = next(game for game in games if game.ruleset == known[at].ruleset)
    talk.port.open_table(known[at].scenario, read_settings(typed[count:], locale, game))


def _is_game(talk: Talk, game: GameLine, typed: str) -> bool:
    """Return whether a title is typed, perhaps without its article, or a game's name."""
    little = little_words(talk.speaker)
    names = (talk.speaker.text(game.title), game.ruleset.replace("_", "-"))
    wanted = telling(folded_words(typed), little)
    return bool(wanted) and any(wanted == telling(folded_words(name), little) for name in names)


def _list_offered(talk: Talk, games: Sequence[GameLine]) -> None:
    """Print the scenarios of some games, with the settings that their tables have."""
    lobby, speaker = talk.model.lobby, talk.speaker
    shown = {game.ruleset for game in games}
    numbered = [(at, line) for at, line in enumerate(lobby.offered, 1) if line.ruleset in shown]
    headings = games if len(lobby.offered_games) > 1 else ()
    talk.print_for("open", words.scenario_lines(speaker, numbered, headings))
    talk.tell("plain.open_hint")
    has = {name for game in games for name in game.has}
    for name, key in (
        ("strict_windows", "plain.open_strict"),
        ("hands", "plain.open_hands"),
        ("window_seconds", "plain.open_windows"),
        ("least_seconds", "plain.open_least"),
        ("laid_ready", "plain.open_ready"),
        ("as_proposed", "plain.open_proposals"),
    ):
        if name in has:
            talk.tell(key)
    for game in games:
        if unusual := unusual_settings(talk.model.locale, game):
            said, typed = zip(*unusual, strict=True)
            title = speaker.text(game.title)
            talk.tell("plain.open_unusual", title, "; ".join(said), ", ".join(typed))


def _offered(talk: Talk) -> Iterable[str]:
    return [talk.speaker.text(line.title) for line in talk.model.lobby.offered]


def _scenarios(talk: Talk) -> Iterable[str]:
    return [talk.speaker.text(line.title) for line in talk.model.lobby.scenarios or ()]


def join(talk: Talk, argument: str) -> None:
    """Redeem an invitation. The same invitation again, or no argument, confirms a known setup."""
    asked = talk.model.pending.code
    code = asked if asked and not argument else _code(talk, argument)
    if code == asked:
        # The player was told that repeating the command confirms.
        talk.port.join_known(code)
    else:
        talk.port.join(code)


def password(talk: Talk, argument: str) -> None:
    """Send the password that the server requires to open a table."""
    asked = talk.model.pending.table
    if asked is None or not argument:
        raise UnreadableCommand("plain.no_password")
    typed = clean(argument)
    if len(typed) > MAX_PASSWORD:
        raise UnreadableCommand("plain.no_password")
    talk.port.open_table(asked.scenario, asked.settings, typed)


def watch(talk: Talk, argument: str) -> None:
    talk.port.watch(_code(talk, argument))


def manse(talk: Talk, argument: str) -> None:
    """Redeem an invitation that was pasted as a whole command line."""
    # The names of the two functions are the words of the command line.
    run = next(
        (one for one in (watch, join) if folded_words(argument)[:1] == (one.__name__,)), None
    )
    if run is None:
        raise UnreadableCommand("plain.need_invitation")
    run(talk, argument.partition(" ")[2])


def _code(talk: Talk, typed: str) -> str:
    """Return the code in an invitation, or a bare code."""
    if not typed:
        raise UnreadableCommand("plain.need_invitation")
    try:
        return parse_invitation(typed).code if "/" in typed else parse_code(typed)
    except UnreadableInvitation as error:
        raise UnreadableCommand("wrong.invitation", talk.model.locale.unreadable(error)) from error


# Before the game ---------------------------------------------------------------------------


def lobby(talk: Talk, _: str) -> None:
    talk.print_for("claim", words.lobby_lines(talk.speaker, talk.model, talk.view()))


def scenario(talk: Talk, argument: str) -> None:
    known = talk.model.lobby.scenarios_of(talk.view().table.room.ruleset)
    if not argument:
        talk.print_for("scenario", words.scenario_lines(talk.speaker, enumerate(known, 1)))
        talk.tell("plain.scenario_hint" if known else "box.nothing")
        return
    talk.port.choose_scenario(known[talk.which_scenario(argument, known)].scenario)


def products(talk: Talk, argument: str) -> None:
    """List the enabled and disabled products, or switch one. Rules SETUP-5 and APP-18."""
    off = talk.view().table.room.products_off
    known = _product_ids(talk)
    names = [talk.speaker.name("product", product) for product in known]
    if not argument:
        keys = ["plain.product_off" if one in off else "plain.product_on" for one in known]
        lines = [talk.speaker.say(key, name) for key, name in zip(keys, names, strict=True)]
        talk.tell_list(lines, "plain.products_hint", "products")
        return
    chosen = known[talk.which(argument, names)]
    others = tuple(product for product in off if product != chosen)
    talk.port.switch_products(others if chosen in off else (*others, chosen))


def _product_ids(talk: Talk) -> list[str]:
    line = talk.model.scenario(talk.view().table.room.scenario)
    return [one.product for one in line.products] if line is not None else []


def campaign(talk: Talk, _: str) -> None:
    talk.view()
    talk.port.continue_campaign()


def setup(talk: Talk, argument: str) -> None:
    """Print the fixed setup, choose another by its code, or give it up."""
    room = talk.view().table.room
    if not argument:
        fixed = setups.fixed_line(talk.model.locale, room)
        talk.print([fixed] if fixed else [talk.speaker.say("plain.no_setup")])
        talk.tell("plain.setup_hint")
        return
    talk.port.fix_setup("" if argument == "0" else _code(talk, argument))


def empty(talk: Talk, argument: str) -> None:
    """Empty the seat of a player who withheld their share, or list these players."""
    seats = setups.withholding(talk.view().table.room)
    if not seats:
        raise UnreadableCommand("wrong.none_withheld")
    names = [seat.name for seat in seats]
    if not argument:
        talk.tell_list(names, "plain.empty_hint", "empty")
        return
    talk.port.empty_seat(seats[talk.which(argument, names)].seat)


def host(talk: Talk, _: str) -> None:
    """Vote to replace the host, who is away."""
    talk.view()
    talk.port.vote_host()


def claim(talk: Talk, argument: str) -> None:
    """Claim a role or characters, release them, or list all that can be claimed."""
    view = talk.view()
    room = view.table.room
    if not argument:
        talk.print_for("claim", words.claimable_lines(talk.speaker, talk.model, view))
        talk.print([words.claim_hint(talk.speaker, talk.model, view)])
        return
    if argument == "0":
        talk.port.claim(())
        return
    places = find_several(argument, tuple(_claimable(talk)), little_words(talk.speaker))
    roles, characters = talk.model.roles(room), talk.model.characters(room)
    of_roles = [roles[at] for at in places if at < len(roles)]
    if of_roles:
        # The characters depend on the role and are chosen next.
        talk.port.claim_role(of_roles[0])
        return
    chosen = [characters[at - len(roles)] for at in places]
    mine = view.my_seat
    # One more character is added to those that the seat has, until it has all of its number.
    if mine is not None and len(chosen) == 1 and talk.model.lacks_more(room, mine):
        chosen = [*mine.characters, *chosen]
    talk.port.claim(tuple(dict.fromkeys(chosen)))


def _claimable(talk: Talk) -> Iterable[str]:
    return words.claimable(talk.speaker, talk.model, talk.view().table.room)


def prepare(talk: Talk, argument: str) -> None:
    """Print what the player has to prepare before the game, or send lines separated by `;`."""
    view = talk.view()
    mine = view.my_seat
    if mine is None:
        raise UnreadableCommand("wrong.looking_on")
    preparation = words.preparation_of(talk.model, view.table.room, mine)
    if not argument or preparation is None:
        talk.print(words.preparation_lines(talk.speaker, talk.model, view, mine))
        return
    try:
        lines = [argument]
        if preparation.most_lines != 1:
            lines = [line for part in argument.split(";") if (line := part.strip())]
        content = preparation.bytes_of(lines)
    except UnwritableLines as error:
        raise UnreadableCommand(error.key, *error.params) from error
    talk.port.prepare(Padded.of(content))


def _can_prepare(talk: Talk) -> bool:
    """Return whether the player's role has a preparation."""
    view = talk.model.view
    mine = None if view is None else view.my_seat
    if view is None or mine is None:
        return False
    is_known = words.preparation_of(talk.model, view.table.room, mine) is not None
    return is_known or words.has_to_prepare_at(talk.model, view, mine)


def ready(talk: Talk, _: str) -> None:
    fixed = talk.view().table.room.fixed_setup
    if fixed is not None and setups.is_known(talk.model):
        # It was said that this is what saying it again means.
        talk.port.accept_setup(fixed)
    talk.port.set_ready(is_ready=True)


def unready(talk: Talk, _: str) -> None:
    talk.view()
    talk.port.set_ready(is_ready=False)


def bot(talk: Talk, argument: str) -> None:
    """Seat a bot in the named role; in a game with several roles, list them if none is named."""
    roles = talk.model.open_roles(talk.view().table.room)
    if argument:
        talk.port.add_bot(roles[_which_role(talk, argument)])
    elif roles:
        talk.tell_list(_open_roles(talk), "plain.bot_hint", "bot")
    else:
        talk.port.add_bot()


def _which_role(talk: Talk, typed: str) -> int:
    """Return the place of the meant role in the list of open ones; say why if it is none."""
    names = _open_roles(talk)
    try:
        return talk.which(typed, names)
    except UnknownCommand as unknown:
        every = [talk.speaker.name("role", one) for one in talk.model.roles(talk.view().table.room)]
        if not every:
            raise
        try:
            talk.which(typed, every)
        except UnknownCommand:
            said = ", ".join(every)
            raise UnreadableCommand("plain.no_role", typed[:MOST_ECHOED], said) from unknown
        raise UnreadableCommand("error.table/role_taken") from unknown


def _open_roles(talk: Talk) -> list[str]:
    roles = talk.model.open_roles(talk.view().table.room)
    return [talk.speaker.name("role", role) for role in roles]


def start(talk: Talk, _: str) -> None:
    """Start the game. If only the host is not ready, make the host ready first."""
    room, mine = talk.view().table.room, talk.view().my_seat
    if talk.model.is_host and (missing := missing_in_words(talk.model, room)):
        if Action.BOT in impossible(talk.model):
            raise UnreadableCommand("waiting_room.role_missing", missing)
        raise UnreadableCommand("plain.role_missing_bot", missing, talk.word("bot"))
    unready = [seat for seat in room.seats.values() if not seat.is_ready]
    if mine is not None and talk.model.is_host and unready == [mine]:
        fewest, most = talk.model.counts_wanted(room, mine)
        has_all = fewest <= len(mine.characters) <= most
        # Else the server says what is missing.
        if has_all and not words.has_to_prepare_at(talk.model, talk.view(), mine):
            ready(talk, "")
    talk.port.start()


def remove(talk: Talk, argument: str) -> None:
    """Remove the table if the argument confirms this; else explain the consequences."""
    talk.view()
    if not talk.is_word(argument, "agree"):
        talk.tell("plain.remove_how", talk.word("remove"), talk.word("agree"))
        return
    talk.port.remove_table()


def invite(talk: Talk, argument: str) -> None:
    """Print, create or renew invitations."""
    talk.view()
    if talk.model.is_solo:
        raise UnreadableCommand("plain.solo")
    if argument and talk.is_word(argument, "renew"):
        talk.must_act_as_host()
        talk.port.renew_invitations()
        return
    if argument and not talk.is_word(argument, "watch"):
        said = map(talk.word, ("watch", "renew", "invite"))
        raise UnreadableCommand("plain.invite_how", *said)
    is_to_watch = bool(argument)
    lines = list(words.invitation_lines(talk.speaker, talk.model, talk.view()))
    wanted = talk.model.invitation(WATCH if is_to_watch else ANY_SEAT)
    if lines and (wanted or (talk.place is PlayerPlace.GAME and not is_to_watch)):
        talk.print(line for _, line in lines)
    else:
        talk.port.invite(is_to_watch=is_to_watch)


_LOBBY, _WAITING = frozenset({PlayerPlace.LOBBY}), frozenset({PlayerPlace.WAITING})
_PLAYED = frozenset({PlayerPlace.LOBBY, PlayerPlace.GAME})
_TABLE = frozenset({PlayerPlace.WAITING, PlayerPlace.GAME})

COMMANDS = (
    Command("tables", tables, frozenset(PlayerPlace)),
    Command("enter", enter, _LOBBY, Takes.WORDS, offers=_titles),
    Command("open", open_, _LOBBY, Takes.NAMES, offers=_offered),
    Command(
        "password",
        password,
        _LOBBY,
        Takes.WORDS,
        is_there=lambda talk: talk.model.pending.table is not None,
    ),
    Command("join", join, _LOBBY, Takes.WORDS),
    Command("watch", watch, _LOBBY, Takes.WORDS),
    Command("manse", manse, _LOBBY, Takes.WORDS),
    Command("review", review, _PLAYED, Takes.WORDS, offers=_titles),
    Command(
        *("games", found_games.games, _LOBBY, Takes.WORDS),
        offers=_scenarios,
        next_words=found_games.next_words,
    ),
    Command("together", together, _PLAYED, Takes.NUMBERS),
    Command("results", results, _LOBBY, Takes.WORDS),
    Command("note", note, frozenset({PlayerPlace.GAME}), Takes.WORDS, is_reading=True),
    Command("lobby", lobby, _WAITING, is_reading=True),
    Command("scenario", scenario, _WAITING, Takes.NAMES, offers=_scenarios),
    Command(
        "products",
        products,
        _WAITING,
        Takes.NAMES,
        offers=lambda talk: [talk.speaker.name("product", one) for one in _product_ids(talk)],
    ),
    Command("campaign", campaign, _WAITING),
    Command("setup", setup, _WAITING, Takes.WORDS),
    Command(
        "empty",
        empty,
        _WAITING,
        Takes.NAMES,
        offers=lambda talk: [seat.name for seat in setups.withholding(talk.view().table.room)],
    ),
    Command("host", host, _WAITING),
    Command("claim", claim, _WAITING, Takes.NAMES, offers=_claimable),
    Command("prepare", prepare, _WAITING, Takes.WORDS, is_there=_can_prepare),
    Command("ready", ready, _WAITING),
    Command("unready", unready, _WAITING),
    Command("bot", bot, _WAITING, Takes.NAMES, offers=_open_roles),
    Command("start", start, _WAITING),
    Command(
        "invite",
        invite,
        _TABLE,
        Takes.NAMES,
        offers=lambda talk: [talk.word("watch"), talk.word("renew")],
    ),
    Command("stand", stand, _WAITING),
    Command(
        "remove",
        remove,
        _TABLE,
        Takes.WORDS,
        # Before its game, or if it is one's practice game.
        is_there=lambda talk: (
            talk.place is not PlayerPlace.GAME
            or (talk.model.view is not None and talk.model.view.is_practice)
        ),
    ),
    Command("leave", leave, _TABLE),
)
"""Commands in the order of help."""
