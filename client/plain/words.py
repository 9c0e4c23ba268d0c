"""
The sentences of plain mode: whole lines that make sense when they are read aloud in order.

There is no drawing, no column and no colour. Every function returns lines; the caller makes the
lines safe for a terminal.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence

from client.keymap.keys import Action
from client.locale.asked import about_text, asked_text
from client.locale.beside import decides_lines, held_line
from client.locale.defaults import default_text
from client.locale.refusals import refusal
from client.locale.results import own_result
from client.locale.speaker import Speaker
from client.model import hosts
from client.model.lobby import sorted_tables
from client.model.model import ANY_SEAT, WATCH, ClientModel
from client.model.possible import begins_alone, impossible
from client.model.roles import missing_in_words, owners_of_full
from client.model.setups import fixed_line, withholding
from client.model.tables import TableView
from client.model.waiting import Watch, pace_of, voters
from client.plain.choice import ListedChoices
from client.plain.game import plain_at, plain_of
from client.plugs.face import face_of
from client.plugs.preparation import Preparation, has_to_prepare, why_refused
from client.settings.table_settings import looking_on
from client.tellers.base import JournalLine, Tone
from client.text.printable import one_line
from protocol.common.asks import Question, RefusedChoice, Settle
from protocol.common.table import RoomTable, Seat, Stage
from protocol.messages import GameLine, ScenarioLine, TableLine

_INVITE = {ANY_SEAT: "waiting_room.invite", WATCH: "waiting_room.watch"}
"""The catalog keys of the labels of invitations without a particular seat."""


# The journal -------------------------------------------------------------------------------


def journal_line(line: JournalLine, speaker: Speaker, ruleset: str) -> str:
    return plain_of(ruleset).said(line, speaker)


def journal_lines(lines: Iterable[JournalLine], speaker: Speaker, ruleset: str) -> Iterator[str]:
    """Yield journal lines; equal lines about actions in a row become one line with their count."""
    for (tone, text), same in itertools.groupby(lines, lambda line: (line.tone, line.text)):
        told = [journal_line(line, speaker, ruleset) for line in same]
        if tone in {Tone.ACTION, Tone.GAIN} and len(told) > 1:
            told = [speaker.say("plain.times", text.rstrip("."), len(told))]
        yield from told


# Questions ---------------------------------------------------------------------------------


def asked_line(
    speaker: Speaker, view: TableView, question: Question, *, has_stakes: bool = True
) -> str:
    """
    Return the viewer's question as a line that says that an answer or a vote is wanted.

    Some games print the subject of a question elsewhere; with `has_stakes`, this line has it too.
    """
    is_vote = view.ask is not None and view.ask.settle.is_vote
    key = "plain.your_vote" if is_vote else "plain.your_choice"
    may_interrupt = view.ask is not None and view.may_interrupt
    game = view.table.game
    is_repeated = game is not None and plain_at(view).repeats_about(game)
    said = asked_text(speaker, view.ask, question, is_about_told=is_repeated)
    if has_stakes and is_repeated and view.ask is not None:
        said = f"{speaker.text(view.ask.about)} {said}"
    if view.ask is not None and may_interrupt:
        return speaker.say("plain.may_interrupt", speaker.seat(view.table, view.ask.decides), said)
    return speaker.say(key, said)


def left_line(speaker: Speaker, view: TableView, watch: Watch) -> Iterator[str]:
    """Yield the time left for the open question, if the time is limited."""
    question = view.my_question()
    pace = pace_of(watch, view, is_asked=question is not None)
    left = pace.left
    if left is None:
        return
    if pace.timer is not None:
        yield speaker.say("plain.timer", speaker.text(pace.timer))
    # Only those who are asked know the default answer.
    if question is not None and not view.may_interrupt:
        yield speaker.say(f"plain.left.{left.unit}", left.count, default_text(speaker, question))
    else:
        yield speaker.say(f"plain.left_to_others.{left.unit}", left.count)


def held_lines(model: ClientModel, view: TableView, watch: Watch) -> Iterator[str]:
    """Yield what the server holds of the viewer, and until when; nothing if it counts at once."""
    speaker, question, held = model.speaker, view.my_question(), model.held_picks
    if question is None or view.ask is None or not held:
        return
    said = ", ".join(speaker.text(c.text) for c in question.choices if c.choice_id in held)
    if view.ask.settle is Settle.WINDOW:
        is_early = view.table.room.settings.stops
        yield speaker.say("question.window_done" if is_early else "question.window_held", said)
        return
    least = pace_of(watch, view, is_asked=True).least
    if line := held_line(speaker, view.table, said, "" if least is None else least.text(speaker)):
        yield line


def question_lines(
    speaker: Speaker, view: TableView, question: Question, listing: ListedChoices
) -> Iterator[str]:
    """Yield the question, its choices by number, and how to answer.

    Choices that kept their number since the previous question are not repeated.
    """
    has_stakes = view.ask is None or listing.told != view.ask.about
    yield asked_line(speaker, view, question, has_stakes=has_stakes)
    for at, named in enumerate(listing.named):
        number = listing.numbers[at]
        if number not in listing.kept:
            choice, ask = listing.choices[at].choice_id, view.ask
            votes = voters(speaker, view.table, ask, choice) if ask is not None else ""
            yield f"{number}. {named.text} ({votes})" if votes else f"{number}. {named.text}"
    if listing.gone:
        yield speaker.say("plain.gone", ", ".join(map(str, listing.gone)))
    if listing.kept:
        is_all = not listing.gone and len(listing.kept) == len(listing.choices)
        key = "plain.all_same" if is_all else "plain.same"
        yield speaker.say(key, speaker.say("plain.word.question"))
    if view.may_interrupt:
        yield speaker.say("plain.interrupt_how")
    elif question.at_most > 1 or not question.at_least:
        if question.at_least == question.at_most:
            key = "plain.choose_row" if question.can_repeat else "plain.choose_exactly"
        elif question.at_least:
            key = "plain.choose_some"
        else:
            key = "plain.choose_optional" if question.at_most == 1 else "plain.choose_up_to"
        yield speaker.say(key, question.at_most, question.at_least)


def refused_lines(speaker: Speaker, question: Question) -> Iterator[str]:
    """Yield the refused choices with reasons, by number; for a single choice, the rule as well."""
    if not question.refused:
        yield speaker.say("plain.nothing_refused")
    elif len(question.refused) == 1:
        yield from refused_lines_of(speaker, question.refused[0])
    else:
        for at, refused in enumerate(question.refused, 1):
            yield f"{at}. {refusal(speaker, refused)}"
        yield speaker.say("plain.refused_hint", speaker.say("plain.word.why"))


def refused_lines_of(speaker: Speaker, refused: RefusedChoice) -> Iterator[str]:
    """Yield the reason why a choice is refused, then the meaning of the rule."""
    text, reason = speaker.text(refused.text), speaker.text(refused.reason)
    yield speaker.say("plain.refused", text, reason)
    yield from rule_lines(speaker, refused.rule)


def rule_lines(speaker: Speaker, rule: str) -> Iterator[str]:
    """Yield name and meaning of a rule; nothing if the words are missing."""
    name, text = speaker.rule(rule)
    if text:
        yield speaker.say("plain.rule", rule, name, text)


def waiting_line(speaker: Speaker, view: TableView) -> str:
    room = view.table.room
    is_over = room.stage is Stage.OVER
    if room.operator_reason:
        key = "plain.closed" if is_over else "plain.paused_by_operator"
        return speaker.say(key, one_line(room.operator_reason))
    if is_over or room.is_paused:
        over = "plain.over" if view.seat is None else "plain.over_again"
        # Where all are on one side, the journal has told how it ended.
        own = own_result(speaker, view.table, view.seat) if len(view.table.sides) > 1 else ""
        said = speaker.say(over if is_over else "plain.paused")
        return f"{own} {said}" if own else said
    ask = room.ask
    if ask is None:
        return speaker.say("waiting.server")
    if view.can_call_tiebreak():
        return speaker.say("plain.differ", speaker.say("plain.word.lot"))
    about = about_text(speaker, ask, view.seat)
    if beside := decides_lines(speaker, view.table, view.seat):
        question = view.my_question() if view.may_interrupt else None
        if question is not None and not question.choices:
            beside.append(speaker.say("question.nothing_to_interrupt"))
            beside += [f"{refusal(speaker, one)}." for one in question.refused]
        return " ".join([*beside, *([about] if about else [])])
    who = speaker.awaited(view.table) or speaker.say("waiting.nobody")
    return speaker.say("plain.waiting", who, about) if about else speaker.say("waiting.for", who)


# The lobby ---------------------------------------------------------------------------------


def tables_lines(speaker: Speaker, model: ClientModel) -> Iterator[str]:
    tables = sorted_tables(model.lobby.tables or ())
    for at, line in enumerate(tables, 1):
        yield f"{at}. {table_line(speaker, model, line)}"
    yield speaker.say("plain.enter_hint" if tables else "plain.no_tables")


def table_line(speaker: Speaker, model: ClientModel, line: TableLine) -> str:
    """Return scenario, stage and players of a table, and whether the table awaits the player."""
    stage = speaker.say(f"stage.{line.stage.value}")
    if line.is_practice:
        stage = speaker.say("practice.listed", stage)
    turn = ", " + speaker.say("plain.your_turn") if line.is_my_turn else ""
    about = f"{stage} ({', '.join(line.names)}){turn}"
    return speaker.say("entry.line", model.title_in_full(line.scenario), about)


def invitation_lines(
    speaker: Speaker, model: ClientModel, view: TableView
) -> Iterator[tuple[str, str]]:
    """Yield each usable invitation of the table: its purpose, and the line to send to a friend."""
    for seat in model.codes.get(view.room_id, {}):
        # The seat is taken, or no longer free for guests.
        is_of_use = seat in _INVITE or view.is_free(seat)
        line = model.invitation(seat) if is_of_use else ""
        # Nobody else can reach a server for one player.
        if line and not model.is_solo:
            key = _INVITE.get(seat)
            whose = speaker.say("plain.invite_seat", speaker.place(view.table, seat))
            yield speaker.say(key) if key else whose, line


def scenario_lines(
    speaker: Speaker, scenarios: Iterable[tuple[int, ScenarioLine]], games: Sequence[GameLine] = ()
) -> Iterator[str]:
    """
    Yield numbered scenarios, each with its summary.

    Args:
        speaker: puts them into words.
        scenarios: numbers and scenarios, game by game.
        games: the games whose names and sentences stand above their scenarios.
    """
    headings = {game.ruleset: game for game in games}
    for number, line in scenarios:
        if (game := headings.pop(line.ruleset, None)) is not None:
            yield speaker.say("entry.line", speaker.text(game.title), speaker.text(game.summary))
        words = speaker.say(
            "opening.scenario",
            speaker.text(line.title),
            line.minutes,
            line.difficulty,
            line.roster.fewest,
            line.roster.most,
        )
        yield f"{number}. {words}"
        yield speaker.text(line.summary)


def lobby_lines(speaker: Speaker, model: ClientModel, view: TableView) -> Iterator[str]:
    """Yield a table before its game: its seats, the characters, and the next step."""
    room = view.table.room
    yield speaker.say("waiting_room.title", speaker.name("scenario", room.scenario))
    for seat in room.seats.values():
        role = model.role(room, seat)
        named = [speaker.name("role", role)] if role else []
        named += [speaker.name("character", one) for one in seat.characters]
        tags = [
            speaker.say(key)
            for key, has in (
                ("waiting_room.you", seat.seat == view.seat),
                ("waiting_room.host", seat.seat == room.host),
                ("waiting_room.bot", seat.is_bot),
                ("plain.ready", seat.is_ready),
                ("waiting_room.withheld", seat in withholding(room)),
                ("waiting_room.knows_setup", seat.knows_setup),
                ("waiting_room.prepared", seat.prepared is not None),
                ("waiting_room.unprepared", has_to_prepare_at(model, view, seat)),
            )
            if has
        ]
        tagged = f" ({', '.join(tags)})" if tags else ""
        whom = ", ".join(named) or speaker.say("plain.nobody")
        yield speaker.say("entry.line", f"{seat.name}{tagged}", whom)
    if fixed := fixed_line(speaker.locale, room):
        yield fixed
    yield from claimable_lines(speaker, model, view)
    yield next_step(speaker, model, view)


def claimable(speaker: Speaker, model: ClientModel, room: RoomTable) -> tuple[str, ...]:
    """Return the names of all roles (if there are several) and characters to claim."""
    roles = (speaker.name("role", role) for role in model.roles(room))
    characters = (speaker.name("character", one) for one in model.characters(room))
    return (*roles, *characters)


def claimable_lines(speaker: Speaker, model: ClientModel, view: TableView) -> Iterator[str]:
    """Yield the roles and characters by number, with the seats that claimed them."""
    room = view.table.room
    owners = {one: s.name for s in room.seats.values() for one in s.characters}
    roles = model.roles(room)
    whose = [owners_of_full(model, room, role) for role in roles]
    whose += [owners.get(c, "") for c in model.characters(room)]
    for at, (name, owner) in enumerate(zip(claimable(speaker, model, room), whose, strict=True), 1):
        if roles and at in {1, len(roles) + 1}:
            # A game with one role has but one list, which needs no heading.
            title = "box.roles" if at == 1 else face_of(room.ruleset).characters
            yield speaker.say("plain.heading", speaker.say(title))
        yield f"{at}. {name} ({owner})" if owner else f"{at}. {name}"


def preparation_of(model: ClientModel, room: RoomTable, seat: Seat) -> Preparation | None:
    return face_of(room.ruleset).preparation_for(model.role(room, seat))


def has_to_prepare_at(model: ClientModel, view: TableView, seat: Seat) -> bool:
    """Return whether a seat has to prepare something before its player can be ready."""
    return has_to_prepare(model, view, seat, preparation_of(model, view.table.room, seat))


def preparation_lines(
    speaker: Speaker, model: ClientModel, view: TableView, mine: Seat
) -> Iterator[str]:
    """Yield the request for a preparation, what was sent, and why the rules refuse it."""
    room, word = view.table.room, speaker.say("plain.word.prepare")
    preparation = preparation_of(model, room, mine)
    if preparation is None:
        yield speaker.say("prepare.no_face", room.ruleset)
    else:
        yield from preparation.asked(speaker, room)
    if model.unfit_here is not None:
        yield from why_refused(speaker, model, model.unfit_here)
    elif preparation is not None and (sent := preparation.sent(mine)):
        yield speaker.say("prepare.sent", ", ".join(sent))
    if preparation is not None:
        key = "plain.prepare_lines" if preparation.most_lines > 1 else "plain.prepare_line"
        yield speaker.say(key, word)


def next_step(speaker: Speaker, model: ClientModel, view: TableView) -> str:
    """Return the viewer's next step, and a notice if the host is absent or was replaced."""
    said = [_own_step(speaker, model, view)]
    if names := hosts.absent_host(view):
        has_voted = view.seat in view.table.room.host_votes
        key = "plain.host_voted" if has_voted else "plain.host_away"
        said.append(speaker.say(key, *names, speaker.say("plain.word.host")))
    if name := hosts.replaced_by(view):
        said.append(speaker.say("waiting_room.host_replaced", name))
    return " ".join(said)


def _own_step(speaker: Speaker, model: ClientModel, view: TableView) -> str:
    room, mine = view.table.room, view.my_seat
    if mine is None:
        return looking_on(speaker.locale, room.settings, model.key)
    fewest, most = model.counts_wanted(room, mine)
    if len(mine.characters) < fewest < most:
        return speaker.say("plain.claim_several", fewest, most, speaker.say("plain.word.claim"))
    if not mine.characters and fewest:
        return claim_hint(speaker, model, view)
    if model.lacks_more(room, mine):
        if len(room.seats) > 1:
            return speaker.say("waiting_room.second_few", fewest)
        key = "waiting_room.second"
    elif len(mine.characters) > most:
        return speaker.say("plain.too_many", speaker.say("plain.word.claim"))
    elif has_to_prepare_at(model, view, mine):
        return speaker.say("plain.prepare_hint", speaker.say("plain.word.prepare"))
    elif not mine.is_ready:
        key = "plain.begin_hint" if begins_alone(model, room) else "plain.ready_hint"
        if len(mine.characters) < most:
            more = speaker.say("plain.claim_more", most, speaker.say("plain.word.claim"))
            return f"{speaker.say(key)} {more}"
        if missing := missing_role_line(speaker, model, room):
            return f"{speaker.say(key)} {missing}"
    elif missing := missing_role_line(speaker, model, room):
        return missing
    elif not all(seat.is_ready for seat in room.seats.values()):
        key = "waiting_room.others"
    else:
        key = "plain.start_hint" if model.is_host else "waiting_room.host_starts"
    return speaker.say(key)


def claim_hint(speaker: Speaker, model: ClientModel, view: TableView) -> str:
    """Return how to choose whom to play, and how many with so many at the table."""
    room, mine, word = view.table.room, view.my_seat, speaker.say("plain.word.claim")
    fewest, _ = model.counts_wanted(room, mine) if mine is not None else (1, 1)
    if len(room.seats) == 1 and fewest:
        return speaker.say("plain.claim_hint")
    if fewest > 1:
        return speaker.say("plain.claim_few", fewest, word)
    return speaker.say("plain.claim_one", word)


def missing_role_line(speaker: Speaker, model: ClientModel, room: RoomTable) -> str:
    """Return which roles nobody plays yet, with the command for a bot; empty if none is missing."""
    missing = missing_in_words(model, room)
    if not missing:
        return ""
    if model.is_host and Action.BOT not in impossible(model):
        return speaker.say("plain.role_missing_bot", missing, speaker.say("plain.word.bot"))
    return speaker.say("waiting_room.role_missing", missing)


def speaking_line(speaker: Speaker, view: TableView) -> str:
    """Return a line for a practice game: the seat for which the viewer acts, if any."""
    if view.seat is None:
        return speaker.say("practice.watching")
    return speaker.say("practice.speaking", speaker.seat(view.table, view.seat))
