"""
The commands of plain mode: every word that is no answer, and what it does.

A command prints, or speaks through the port; what comes of it is printed as it comes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol

import attrs

from client import plain_words as words
from client.coach import Coach
from client.journal import Journal
from client.locale import LANGUAGES
from client.locale.speaker import Speaker
from client.model import ANY_SEAT, WATCH, ClientModel, ClientPort
from client.plain_choice import Listing, UnreadableCommand, find, listed
from client.plain_settings import read_settings
from client.screens.monsters import monster_menu
from client.screens.readings import cards, objective
from client.screens.settings import table_lines
from client.tables import TableView
from client.widgets.printable import printable
from client.widgets.puzzle import open_puzzle, spoken
from client.widgets.scene import Charset, Scene
from protocol.common.asks import Question, Settle
from protocol.common.table import Stage
from protocol.invitation import UnreadableInvitation, parse_code, parse_invitation
from protocol.second_edition.table import SecondEditionTable

MOST_RESTS = 12
"""Rest points that are listed, the latest first."""


class PlainPort(ClientPort, Protocol):
    """A port that can also make invitations."""

    def invite(self, *, is_to_watch: bool) -> None:
        """Ask for a fresh invitation."""


@attrs.define(eq=False)
class Talk:
    """A player and the server, talking in lines."""

    model: ClientModel
    port: PlainPort
    emit: Callable[[str], None]
    """Takes one line that is safe to print."""
    journal_lines: Journal
    coach: Coach | None = None
    """Who tells somebody new what they can type; None for nobody."""
    shown: Listing | None = None
    """The question as it was printed last."""
    later: list[Callable[[], None]] = attrs.field(factory=list)
    """What to do once all that was said has its reply."""
    is_over: bool = False
    """Whether the player has left."""

    # Saying things

    @property
    def speaker(self) -> Speaker:
        """What puts things into words."""
        return self.model.speaker

    def print(self, lines: Iterable[str]) -> None:
        """Print lines, made safe for any terminal."""
        for line in lines:
            for paragraph in line.split("\n"):
                self.emit(printable(paragraph).rstrip())

    def tell(self, key: str, *params: str | int) -> None:
        """Print the client's own words of a key."""
        self.print([self.speaker.say(key, *params)])

    def ask(self, view: TableView, question: Question) -> None:
        """Print a question; what is typed next is about it."""
        choices = listed(question)
        texts = tuple(self.speaker.text(choice.text) for choice in choices)
        self.shown = Listing(question, choices, texts)
        lines = words.question_lines(self.speaker, view, question, self.shown)
        self.print(["", *self._puzzle(), *lines])

    # Doing what was typed

    def command_of(self, line: str) -> tuple[str, str]:
        """Return the command that a line begins with, and the rest; no command for an answer."""
        first, _, rest = line.strip().partition(" ")
        word = first.casefold()
        for name in COMMANDS:
            if word in {name, self.model.locale.say(f"plain.word.{name}")}:
                return name, rest.strip()
        return "", line.strip()

    def do(self, line: str) -> None:
        """Do what a line says; what cannot be done is told in one line."""
        if not line.strip():
            return
        name, rest = self.command_of(line)
        try:
            if name:
                COMMANDS[name](self, rest)
            else:
                self._answer(rest)
        except UnreadableCommand as error:
            self.tell(error.key, *error.params)

    # Commands: the table

    def _the_view(self) -> TableView:
        if self.model.view is None:
            raise UnreadableCommand("plain.need_table")
        return self.model.view

    def _the_game(self) -> SecondEditionTable:
        game = words.game_of(self._the_view())
        if game is None:
            raise UnreadableCommand("plain.need_game")
        return game

    def _the_question(self) -> tuple[TableView, Question]:
        view = self._the_view()
        question = view.my_question()
        if question is None:
            raise UnreadableCommand("plain.not_asked", words.waiting_line(self.speaker, view))
        return view, question

    def _scene(self) -> Scene:
        view = self._the_view()
        return Scene(view.table, view.seat, self.speaker, Charset.ASCII)

    def _puzzle(self) -> Iterator[str]:
        """Yield what somebody is working on, if a puzzle is open."""
        scene = self._scene()
        if (found := open_puzzle(scene)) is not None:
            yield from spoken(scene, *found)

    def _answer(self, line: str) -> None:
        if self.model.view is None or self.model.view.my_question() is None:
            self._not_asked(line)
        ask, shown = self._the_question()[0].ask, self.shown
        assert ask is not None
        if shown is None:
            raise UnreadableCommand("wrong.unseen")
        picks = shown.picks(line)
        if ask.settle is Settle.AGREE:
            self.port.vote(ask.ask_id, picks[0])
        else:
            self.port.answer(ask.ask_id, picks)

    def _not_asked(self, line: str) -> None:
        """Say what is possible, where a line is no command and nothing is asked."""
        view = self.model.view
        if view is None or view.table.room.stage is Stage.LOBBY:
            raise UnreadableCommand("plain.unknown", line[:40])

    def help(self, _: str) -> None:
        """List the commands."""
        say = self.speaker.say
        self.tell("plain.help")
        self.print(
            say("entry.line", say(f"plain.word.{name}"), say(f"plain.help.{name}"))
            for name in COMMANDS
        )

    def hints(self, _: str) -> None:
        """Send the coach away, or call it back."""
        if self.coach is None:
            raise UnreadableCommand("wrong.no_coach")
        self.tell("coach.plain.back" if self.coach.switch() else "coach.plain.quiet")

    def quit(self, _: str) -> None:
        """Leave."""
        self.is_over = True

    def question(self, _: str) -> None:
        """Repeat the question."""
        view, question = self._the_question()
        self.ask(view, question)

    def why(self, _: str) -> None:
        """Say what cannot be chosen, and why."""
        self.print(words.refused_lines(self.speaker, self._the_question()[1]))

    def rule(self, rest: str) -> None:
        """Explain the rule that asks, or one that was met before, by its id."""
        view = self._the_view()
        if view.ask is None and not rest:
            raise UnreadableCommand("plain.not_asked", words.waiting_line(self.speaker, view))
        rule = rest[:40].upper() if rest or view.ask is None else view.ask.rule
        lines = list(words.rule_lines(self.speaker, rule))
        self.print(lines or [self.speaker.say("plain.no_rule", rule)])

    def who(self, _: str) -> None:
        """Say who is waited for."""
        self.print([words.waiting_line(self.speaker, self._the_view())])

    def map(self, _: str) -> None:
        """Describe the board."""
        self.print([*words.map_lines(self.speaker, self._the_game()), *self._puzzle()])

    def party(self, _: str) -> None:
        """Describe everybody."""
        self.print(words.party_lines(self.speaker, self._the_view(), self._the_game()))

    def cards(self, _: str) -> None:
        """Read out all cards."""
        self._the_game()
        self.print(text for _, text in cards(self._scene()))

    def monsters(self, rest: str) -> None:
        """List the monsters, or read one's menu out. Rules MONSTER-13 and APP-7."""
        found = list(self._the_game().monsters.values())
        if rest:
            monster = found[_number(rest, len(found))]
            self.print(text for _, text in monster_menu(self._scene(), monster.monster_id))
            return
        self.print(f"{at}. {self.speaker.monster(one)}" for at, one in enumerate(found, 1))
        self.tell("plain.monsters_hint" if found else "box.nothing")

    def settings(self, _: str) -> None:
        """Say what holds at this table. Rule APP-13."""
        self.print(table_lines(self.speaker, self._the_view().table.room.settings))

    def language(self, rest: str) -> None:
        """Say what can be spoken, or speak it from now on."""
        names = [self.speaker.say(f"language.{language}") for language in LANGUAGES]
        if not rest:
            self.tell("plain.language_hint", ", ".join(names))
            return
        is_code = rest.casefold() in LANGUAGES
        self.port.set_language(rest.casefold() if is_code else LANGUAGES[find(rest, names)])
        self.later.append(self._ask_again)

    def _ask_again(self) -> None:
        """Repeat the question, if there is one, in words that are others now."""
        view = self.model.view
        question = view.my_question() if view is not None else None
        if view is not None and question is not None:
            self.ask(view, question)

    def objective(self, _: str) -> None:
        """Read out the objective."""
        self._the_game()
        self.print(text for _, text in objective(self._scene()))

    def journal(self, rest: str) -> None:
        """Repeat the journal, of one round or of all."""
        self._the_view()
        if rest and not rest.isdecimal():
            raise UnreadableCommand("plain.need_number")
        wanted = int(rest[:6]) if rest else None
        self.print(
            words.journal_line(line, self.speaker)
            for line in self.journal_lines.lines
            if wanted is None or line.round_number == wanted
        )

    def say(self, rest: str) -> None:
        """Talk to the table."""
        self._the_view()
        self.port.chat(rest)

    def lot(self, _: str) -> None:
        """Let the lot decide."""
        view = self._the_question()[0]
        if view.ask is None or not view.can_call_lot():
            raise UnreadableCommand("wrong.lot")
        self.port.call_lot(view.ask.ask_id)

    def back(self, rest: str) -> None:
        """List where the table can go back to, or propose one."""
        view = self._the_view()
        rests = sorted(view.table.rests.items(), reverse=True)[:MOST_RESTS]
        if not rest:
            for at, (_, game) in enumerate(rests, 1):
                self.print([f"{at}. {words.rest_line(self.speaker, game)}"])
            self.tell("plain.back_hint" if rests else "box.nothing")
            return
        self.port.propose_take_back(rests[_number(rest, len(rests))][0])

    def give(self, rest: str) -> None:
        """Propose to give a seat to a bot, or to somebody else."""
        view = self._the_view()
        seats = list(view.table.room.seats.values())
        if not rest:
            names = (self.speaker.seat(view.table, seat.seat) for seat in seats)
            self.print(f"{at}. {name}" for at, name in enumerate(names, 1))
            self.tell("plain.give_hint")
            return
        first, _, to = rest.partition(" ")
        is_bot = to.strip().casefold() in {"bot", self.speaker.say("plain.word.bot")}
        seat = seats[_number(first, len(seats))].seat
        self.port.propose_give_seat(seat, to_bot=is_bot)

    def correct(self, rest: str) -> None:
        """List the monsters with their damage, or propose to change it. Rule APP-8."""
        monsters = list(self._the_game().monsters.values())
        if not rest:
            for at, monster in enumerate(monsters, 1):
                named = self.speaker.monster(monster)
                line = self.speaker.say("plain.damage", named, monster.damage, monster.health)
                self.print([f"{at}. {line}"])
            self.tell("plain.correct_hint" if monsters else "box.nothing")
            return
        first, _, damage = rest.partition(" ")
        monster = monsters[_number(first, len(monsters))]
        damage = damage.strip()[:6]
        if not damage.isdecimal() or int(damage) > monster.health:
            raise UnreadableCommand("plain.need_damage", monster.health)
        self.port.propose_correction(monster.monster_id, int(damage))

    def agree(self, _: str) -> None:
        """Agree to what is proposed."""
        self._consent(is_agreed=True)

    def refuse(self, _: str) -> None:
        """Refuse what is proposed."""
        self._consent(is_agreed=False)

    def _consent(self, *, is_agreed: bool) -> None:
        proposal = self._the_view().table.room.proposal
        if proposal is None:
            raise UnreadableCommand("wrong.no_proposal")
        self.port.consent(proposal.proposal_id, is_agreed=is_agreed)

    def resume(self, _: str) -> None:
        """Let a game that stands still go on."""
        self._the_view()
        self.port.resume()

    # Commands: the lobby

    def tables(self, _: str) -> None:
        """List the tables."""
        self.port.list_tables()
        self.later.append(lambda: self.print(words.tables_lines(self.speaker, self.model)))

    def enter(self, rest: str) -> None:
        """Sit down at a table of one's own."""
        tables = words.sorted_tables(self.model.tables or ())
        self.port.enter(tables[_number(rest or "1", len(tables))].room_id)

    def leave(self, _: str) -> None:
        """Leave the table; the seat stays."""
        self._the_view()
        self.port.leave_table()
        self.tables("")

    def stand(self, _: str) -> None:
        """Give up the seat, before the game."""
        self._the_view()
        self.port.leave_seat()
        self.tables("")

    def open(self, rest: str) -> None:
        """Open a table."""
        scenarios = self.model.scenarios or ()
        first, *others = rest.split() or [""]
        if not first.isdecimal() and len(scenarios) > 1:
            self.print(words.scenario_lines(self.speaker, scenarios))
            self.tell("plain.open_hint")
            return
        if not first.isdecimal():
            first, others = "1", rest.split()
        line = scenarios[_number(first, len(scenarios))]
        self.port.open_table(line.scenario, read_settings(others, self.model.locale))

    def join(self, rest: str) -> None:
        """Redeem an invitation."""
        self.port.join(_code(rest))

    def watch(self, rest: str) -> None:
        """Redeem an invitation to look on."""
        self.port.watch(_code(rest))

    def lobby(self, _: str) -> None:
        """Describe the table before its game."""
        self.print(words.lobby_lines(self.speaker, self.model, self._the_view()))

    def scenario(self, rest: str) -> None:
        """Choose what is played."""
        self._the_view()
        scenarios = self.model.scenarios or ()
        if not rest:
            self.print(words.scenario_lines(self.speaker, scenarios))
            return
        self.port.choose_scenario(scenarios[_number(rest, len(scenarios))].scenario)

    def products(self, rest: str) -> None:
        """Say what is on and off at this table, or switch one. Rules SETUP-5 and APP-18."""
        room = self._the_view().table.room
        line = self.model.scenario(room.scenario)
        products = [one.product for one in line.products] if line is not None else []
        if not rest:
            for at, product in enumerate(products, 1):
                key = "plain.product_off" if product in room.products_off else "plain.product_on"
                name = self.speaker.name("product", product)
                self.print([f"{at}. {self.speaker.say(key, name)}"])
            self.tell("plain.products_hint" if products else "box.nothing")
            return
        chosen = products[_number(rest, len(products))]
        others = tuple(product for product in room.products_off if product != chosen)
        is_off = chosen in room.products_off
        self.port.switch_products(others if is_off else (*others, chosen))

    def campaign(self, _: str) -> None:
        """Go on where the last game of a campaign ended."""
        self._the_view()
        self.port.continue_campaign()

    def claim(self, rest: str) -> None:
        """Choose whom to play."""
        view = self._the_view()
        pieces = self.model.pieces(view.table.room)
        if not rest:
            self.print(words.pieces_lines(self.speaker, self.model, view))
            return
        tokens = rest.replace(",", " ").split()
        if all(token.isdecimal() for token in tokens):
            chosen = [_number(token, len(pieces)) for token in tokens]
        else:
            names = [self.speaker.name("investigator", piece) for piece in pieces]
            chosen = [find(part, names) for part in rest.split(",")]
        self.port.claim(tuple(dict.fromkeys(pieces[at] for at in chosen)))

    def ready(self, _: str) -> None:
        """Be ready."""
        self._the_view()
        self.port.set_ready(is_ready=True)

    def unready(self, _: str) -> None:
        """Be ready no longer."""
        self._the_view()
        self.port.set_ready(is_ready=False)

    def bot(self, _: str) -> None:
        """Let a bot take a seat."""
        self._the_view()
        self.port.add_bot()

    def start(self, _: str) -> None:
        """Begin the game."""
        self._the_view()
        self.port.start()

    def invite(self, rest: str) -> None:
        """Show the invitation, or make one."""
        self._the_view()
        is_to_watch = bool(rest)
        line = self.model.invitation(WATCH if is_to_watch else ANY_SEAT)
        if line:
            self.print([line])
        else:
            self.port.invite(is_to_watch=is_to_watch)


def _number(typed: str, most: int) -> int:
    """Return the place in a list that a number from 1 names."""
    typed = typed.strip()
    if not (typed.isascii() and typed.isdigit()):
        raise UnreadableCommand("plain.need_number")
    if not 1 <= int(typed[:9]) <= most:
        raise UnreadableCommand("wrong.number", typed[:9], most)
    return int(typed[:9]) - 1


def _code(typed: str) -> str:
    """Return the code of an invitation, or of a code alone."""
    try:
        return parse_invitation(typed).code if "/" in typed else parse_code(typed)
    except UnreadableInvitation as error:
        raise UnreadableCommand("wrong.invitation", str(error)) from error


COMMANDS: Mapping[str, Callable[[Talk, str], None]] = {
    command.__name__: command
    for command in (
        *(Talk.question, Talk.why, Talk.rule, Talk.who, Talk.map),
        *(Talk.party, Talk.cards, Talk.monsters, Talk.objective, Talk.journal, Talk.settings),
        Talk.language,
        *(Talk.say, Talk.lot, Talk.back, Talk.give, Talk.correct),
        *(Talk.agree, Talk.refuse, Talk.resume),
        *(Talk.tables, Talk.enter, Talk.open, Talk.join),
        *(Talk.watch, Talk.lobby, Talk.scenario, Talk.products),
        *(Talk.campaign, Talk.claim),
        *(Talk.ready, Talk.unready, Talk.bot, Talk.invite),
        *(Talk.start, Talk.leave, Talk.stand),
        *(Talk.help, Talk.hints, Talk.quit),
    )
}
"""Every word that is no answer. Each has words of its own language in the catalogs."""
