"""
The toy: a ruleset that uses everything the kernel has, and nothing else.

Each piece holds facedown cards, faceup cards and one private omen. On its turn it peeks, draws,
hides, tells its omen, gambles or passes; some cards ask the table something. At night everybody
dreams, may burn their omen, and faceup cards go back into the deck. After some rounds the game is
over. `Content.faults` plants mistakes of a ruleset; `Content.edition` selects changed rules.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

from protocol.common.asks import Audience, Point, Reason, Settle
from protocol.common.chance import Stream
from protocol.common.events import Player
from protocol.common.padded import Padded
from protocol.common.roster import Role, Roster
from protocol.common.table import GameTable, Handle, Legacy, Seat
from protocol.common.text import Text
from protocol.event import EVERYBODY, hidden
from server.kernel.asking import Interruption
from server.kernel.asks import Ask, Option, Prompt
from server.kernel.game import Correction, Game, Procedure
from server.rulekit.draws import Draws
from tests.kit.tables.toy_table import (
    ABOUT,
    BRIGHT,
    KINDS,
    MOTION_SECONDS,
    PIECES,
    PLAYER,
    PROMPT,
    RIDDLE_SECONDS,
    RULESET,
    WEATHERS,
    BidsShown,
    Content,
    Dealt,
    Discarded,
    Dreamt,
    Ended,
    Joined,
    Kept,
    LaidOut,
    Leaked,
    OmenBurned,
    OmenDealt,
    OmenMisdealt,
    OmenShown,
    RoundEnded,
    Rumoured,
    Scored,
    ToyTable,
    TurnedDown,
    TurnedUp,
    TurnEnded,
    WeatherSet,
    facedown,
)

MOST_LETTERS = 4
"""Most letters of a wish."""

Toy = Game[ToyTable, Content]
DRAWS = Draws()


class ToyRules:
    """The rules of the toy, as the kernel knows them."""

    name = RULESET

    def roster(self, content: Any) -> Roster:
        """Return one to four seats; a single player has two pieces, and others may have several."""
        role = Role(PLAYER, 1, 4, PIECES, (2, 1, 1, 1), most_each=content.most_each)
        return Roster(1, 4, (role,))

    def informed_roles(self, content: Any) -> tuple[str, ...] | None:
        """Return None: any seat is open to somebody who knows the setup."""
        del content
        return None

    def start_fault(self, content: Any, players: tuple[Player, ...]) -> str | None:
        """Return None: any group that fits the roster may play."""
        return None

    def prepared_fault(
        self, content: Any, seat: Seat, prepared: bytes | None
    ) -> tuple[Reason, ...]:
        """
        Return the mistakes in a wish, where wishes are asked for.

        It names a weather (TOY-15), and has at most four letters (TOY-16).
        """
        if not content.has_wishes:
            return () if prepared is None else (Reason(Text("toy/no_wishes")),)
        wish = None if prepared is None else prepared.decode("utf-8", "replace")
        reasons = []
        if wish not in WEATHERS:
            reasons.append(Reason(Text("toy/no_weather", (", ".join(WEATHERS),)), "TOY-15"))
        if wish is not None and len(wish) > MOST_LETTERS:
            reasons.append(Reason(Text("toy/long_wish", (MOST_LETTERS, len(wish))), "TOY-16"))
        return tuple(reasons)

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:
        """Return the corrections that may be proposed: the points of each person, from 0 to 9."""
        assert isinstance(table, ToyTable)
        return tuple(
            Correction(piece, one.points, 0, 9, partial(_scored_to, piece, one.points))
            for piece, one in table.people.items()
        )

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        """Return all piles: no answer depends on their content."""
        return tuple(table.piles)

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return the next procedure; None when the game is over."""
        table = game.table
        if table.result:
            return None
        if not table.is_laid_out:
            return lay_out(game)
        left = [piece for piece in table.people if piece not in table.done]
        return turn(game, left[0]) if left else night(game)


def _scored_to(piece: str, had: int, amount: int) -> Scored:
    """Return the event that raises a person's points from `had` to `amount`."""
    return Scored(piece, amount - had)


async def lay_out(game: Toy) -> None:
    """Set the game up, with draws of the setup, and wait until somebody says go."""
    for player in game.players:
        for piece in player.characters:
            game.emit(Joined(piece, player.seat))
    game.emit(WeatherSet(game.pick("weather", WEATHERS, Stream.SETUP)))
    game.shuffle("deck", game.content.deck, Stream.SETUP)
    game.shuffle("omens", game.content.omens, Stream.SETUP)
    for piece in game.table.people:
        deal_omen(game, piece)
        for _ in range(2):
            draw(game, piece)
    prompts = {p.seat: Prompt(PROMPT, (Option("go", Text("toy/go")),)) for p in game.players}
    await game.any_one(prompts, rule="TOY-1", about=ABOUT)
    game.emit(LaidOut())


def deal_omen(game: Toy, piece: str) -> None:
    """Give a piece the top omen, in private."""
    handle = game.table.piles["omens"][0]
    omen = hidden(game.table.card_of(handle))
    if "misdealt" in game.content.faults:
        seats = [player.seat for player in game.players]
        other = seats[(seats.index(game.seat_of(piece)) + 1) % len(seats)]
        game.emit(OmenMisdealt(piece, handle, other, omen))
    else:
        game.emit(OmenDealt(piece, handle, omen))


def draw(game: Toy, piece: str) -> None:
    """Deal a piece the top card of the deck, facedown."""
    game.emit(Dealt(piece, game.table.piles["deck"][0]))
    if game.content.has_hands:
        mix_hand(game, piece)


def mix_hand(game: Toy, piece: str) -> None:
    """Mix the facedown cards of a piece; with hands, the piece then knows their order."""
    knowers = (game.seat_of(piece),) if game.content.has_hands else ()
    game.shuffle(facedown(piece), knowers=knowers)


async def turn(game: Toy, piece: str) -> None:
    """Let a piece act once."""
    game.set_chat(is_open=not game.content.is_hushed)
    plant_leaks(game, piece)
    if game.content.edition == "early":
        game.emit(Scored(piece, 0))
    action = await choose_action(game, piece)
    if game.content.edition == "broken":
        raise ZeroDivisionError("the rules of this edition are broken")
    match action:
        case "peek":
            await peek(game, piece)
        case "draw":
            draw(game, piece)
            await game.pause()
        case "hide":
            await hide(game, piece)
        case "tell":
            tell(game, piece)
        case "gamble":
            gamble(game, piece)
        case "scry":
            await scry(game, piece)
        case _:
            await misbehave(game, piece, action)
    if {*game.table.people} == {*game.table.done, piece}:
        game.lapse("phase")
    game.emit(TurnEnded(piece))


def set_weather(game: Toy, weather: str) -> None:
    """Set the weather. Everybody sees it, so passes may last until it changes."""
    has_changed = game.table.weather not in ("", weather)
    game.emit(WeatherSet(weather))
    if has_changed:
        game.lapse("weather")


async def misbehave(game: Toy, piece: str, action: str) -> None:
    """Do the forbidden thing that was chosen as the action; do nothing for an allowed action."""
    if action == "snare":
        await snare(game, piece)
    elif action in ("trap", "late"):
        spring(game, piece)
    elif action == "mistyped":
        game.emit(Scored(piece, True))
    while action == "endless":
        game.emit(Scored(piece, 0))


def plant_leaks(game: Toy, piece: str) -> None:
    """Leak the top card of the deck by a field, or by the number of events."""
    deck = game.table.piles["deck"]
    if not deck:
        return
    card = game.table.card_of(deck[0])
    if "leak/field" in game.content.faults:
        game.emit(Leaked(card))
    if "leak/count" in game.content.faults and kind_of(card) in KINDS[::2]:
        game.emit(Scored(piece, 0))


async def choose_action(game: Toy, piece: str) -> str:
    """Ask a piece for its action; the first option is the default."""
    person = game.table.people[piece]
    actions = ["pass"]
    actions += ["peek"] if game.table.hand(piece) else []
    actions += ["draw"] if game.table.piles["deck"] else []
    actions += ["hide"] if person.faceup else []
    is_told = person.omen is None or EVERYBODY in person.omen.audience
    actions += [] if is_told else ["tell"]
    actions += ["gamble"]
    actions += ["scry"] if game.content.has_hands and game.table.piles["deck"] else []
    faults = game.content.faults
    if "late" in faults:
        actions.insert(0, "late")
    actions += [fault for fault in ("trap", "endless", "mistyped") if fault in faults]
    if "snare" in faults or "clinging" in faults:
        actions.append("snare")
    options = [Option(action, Text("toy/action", (action,))) for action in actions]
    match game.content.edition:
        case "tail":
            options.append(Option("pass", Text("toy/action", ("dance",))))
        case "turned":
            options.reverse()
        case "wordy":
            options = [Option(a, Text("toy/action", (a, len(actions)))) for a in actions]
    rule = "TOY-2-NEW" if game.content.edition == "renamed" else "TOY-2"
    about = Text("toy/wordy") if game.content.edition == "wordy" else ABOUT
    return await game.choose(person.seat, options, rule=rule, about=about, prompt=PROMPT)


async def peek(game: Toy, piece: str) -> None:
    """Turn up one facedown card, and resolve it."""
    handle = await choose_card(game, piece)
    card = game.table.card_of(handle)
    game.emit(TurnedUp(piece, handle, card))
    with game.within(Text("toy/turn", (piece,))), game.within(Text("toy/kind", (kind_of(card),))):
        await resolve(game, piece, kind_of(card))


async def scry(game: Toy, piece: str) -> None:
    """Let a piece look at the two top cards of the deck, and put them back in any order."""
    seat, top = game.seat_of(piece), game.table.piles["deck"][:2]
    game.look_at("deck", top, (seat,))
    options = (Option(top, Text("toy/keep")), Option(top[::-1], Text("toy/swap")))
    order = await game.choose(seat, options, rule="TOY-10", about=ABOUT, prompt=PROMPT)
    game.arrange("deck", order, (seat,))


async def choose_card(game: Toy, piece: str) -> Handle:
    """Ask a piece for one of its facedown cards; return the handle."""
    options = []
    for handle in game.table.hand(piece):
        is_leak = "leak/choice" in game.content.faults
        name = game.table.card_of(handle) if is_leak else handle
        options.append(Option(handle, Text("toy/card"), (Point("card", name),)))
    seat = game.seat_of(piece)
    return await game.choose(seat, options, rule="TOY-3", about=ABOUT, prompt=PROMPT)


def kind_of(card: str) -> str:
    return card.split("/")[1]


async def resolve(game: Toy, piece: str, kind: str) -> None:
    """Resolve a card of a kind."""
    match kind:
        case "storm":
            game.emit(Scored(piece, sum(game.roll("storm", 2, sides=6))))
        case "siege":
            # After the first: as often as would be too deep to nest.
            for _ in range(400 if game.table.done else 1):
                await ambush(game)
        case "echo" | "knell":
            await ambush(game, f"toy/after/{kind}")
        case "gust":
            set_weather(game, DRAWS.draw_entry(game, "gust", WEATHERS))
            await hide(game, piece)
        case "feud":
            await feud(game, piece)
        case "riddle":
            await riddle(game, piece)
        case _ if kind in FOR_ALL:
            await FOR_ALL[kind](game)
        case _:
            pass


async def moot(game: Toy) -> None:
    """Agree on the weather."""
    options = [Option(weather, Text("toy/weather", (weather,))) for weather in WEATHERS]
    pieces = tuple(game.table.people)
    weather = await game.agree(pieces, options, rule="TOY-4", about=ABOUT, prompt=PROMPT)
    set_weather(game, weather)


async def poll(game: Toy, audience: Audience = Audience.ALL) -> None:
    """Vote on the weather: a majority is enough."""
    weather = await game.agree(
        tuple(game.table.people),
        [Option(weather, Text("toy/weather", (weather,))) for weather in WEATHERS],
        rule="TOY-12",
        about=ABOUT,
        prompt=PROMPT,
        settle=Settle.MAJORITY,
        audience=audience,
    )
    set_weather(game, weather)


async def march(game: Toy) -> None:
    """Agree on the weathers of two days."""
    weathers = await game.agree_on_list(
        tuple(game.table.people),
        [Option(weather, Text("toy/weather", (weather,))) for weather in WEATHERS],
        rule="TOY-13",
        about=ABOUT,
        prompt=PROMPT,
        at_least=2,
        at_most=2,
    )
    for weather in weathers:
        set_weather(game, weather)


async def packing(game: Toy) -> None:
    """Ask each seat for a stake and then up to two weathers; the third seat for a stake alone."""
    rows: dict[int, Sequence[Prompt[str]]] = {}
    for player in game.players:
        stakes = [f"stake/{player.characters[0]}/{n}" for n in range(3)]
        stake = Prompt(PROMPT, tuple(Option(one, Text("toy/stake", (one,))) for one in stakes))
        clothes = tuple(Option(one, Text("toy/weather", (one,))) for one in WEATHERS)
        row = (stake, Prompt(PROMPT, clothes, at_least=0, at_most=2))
        rows[player.seat] = (stake,) if player.seat == 2 else row
    picks = await game.each_in_row(rows, rule="TOY-14", about=ABOUT)
    shown = {seat: "+".join(one for part in parts for one in part) for seat, parts in picks.items()}
    game.emit(BidsShown(tuple(shown.items())))


async def ballot(game: Toy) -> None:
    """Ask for secret bids, and show all at once."""
    prompts = {}
    for player in game.players:
        stakes = [f"stake/{player.characters[0]}/{n}" for n in range(3)]
        options = tuple(Option(stake, Text("toy/stake", (stake,))) for stake in stakes)
        prompts[player.seat] = Prompt(PROMPT, options)
    picks = await game.each(prompts, rule="TOY-5", about=ABOUT)
    game.emit(BidsShown(tuple((seat, chosen[0]) for seat, chosen in picks.items())))


async def errand(game: Toy) -> None:
    prompts = {
        player.seat: Prompt(PROMPT, tuple(Option(n, Text("toy/go", (n,))) for n in range(2)))
        for player in game.players
    }
    picks = await game.ask(Ask("TOY-6", ABOUT, prompts, Settle.ANY_ONE))
    # One answer counts, also when time is up.
    ((seat, chosen),) = picks.items()
    piece = next(p for p, person in game.table.people.items() if person.seat == seat)
    game.emit(Scored(piece, 1 + chosen[0]))


def _pass_or(*options: Option[int]) -> Prompt[int]:
    return Prompt(PROMPT, (*options, Option(0, Text("toy/pass"), ends=True)))


async def ambush(game: Toy, kind: str = "toy/ambush") -> None:
    """Let the first seat that acts score, or all pass."""
    strike = Option(5, Text("toy/strike"))
    struck = await game.first_to_act(
        {player.seat: _pass_or(strike) for player in game.players},
        rule="TOY-10",
        about=ABOUT,
        kind=kind,
    )
    if struck is not None:
        seat, points = struck
        piece = next(p for p, person in game.table.people.items() if person.seat == seat)
        game.emit(Scored(piece, points))


async def motion(game: Toy) -> None:
    """Set the weather to sun, unless a seat objects and chooses another."""
    others = [Option(n, Text("toy/weather", (WEATHERS[n],))) for n in range(3)]
    objected = await game.unless_objected(
        {player.seat: _pass_or(*others) for player in game.players},
        rule="TOY-11",
        about=ABOUT,
        seconds=MOTION_SECONDS,
        kind="toy/motion",
    )
    set_weather(game, "sun" if objected is None else WEATHERS[objected[1]])


async def flash(game: Toy) -> None:
    """
    Open a window in which each seat may dazzle: for a point, or for two with a bright omen.

    The options depend on what the seat alone knows. At a table by calendar nobody is timed.
    """
    letting = Option(0, Text("toy/pass"), ends=True)
    prompts = {}
    for player in game.players:
        acts = [Option(n, Text("toy/dazzle", (n,))) for n in _dazzles(game, player)]
        prompts[player.seat] = Prompt(PROMPT, (letting, *acts))
    if game.is_by_calendar:
        done = dict(await game.each(prompts, rule="TOY-20", about=ABOUT))
    else:
        done = await game.window(prompts, rule="TOY-20", about=ABOUT, kind="toy/flash")
    for seat, (points,) in done.items():
        piece = next(p for p, person in game.table.people.items() if person.seat == seat)
        game.emit(Scored(piece, points))


async def flurry(game: Toy) -> None:
    """
    Open a window in which each seat may throw up to two sparks, of those that it has.

    A spark can be thrown high or low, but only once.
    """
    letting = Option(0, Text("toy/pass"), ends=True)
    prompts = {}
    for player in game.players:
        sparks = [1, 2, *(3 for points in _dazzles(game, player) if points == 2)]
        acts = [
            Option(n, Text(f"toy/{how}", (n,)), (Point("spark", str(n)),))
            for n in sparks
            for how in ("dazzle", "glow")
        ]
        prompts[player.seat] = Prompt(PROMPT, (letting, *acts))
    done = await game.window(prompts, rule="TOY-21", about=ABOUT, kind="toy/flurry", at_most=2)
    for seat, thrown in done.items():
        piece = next(p for p, person in game.table.people.items() if person.seat == seat)
        game.emit(Scored(piece, sum(thrown)))


async def riddle(game: Toy, piece: str) -> None:
    """Give a piece a minute to guess today's weather: for 3 points, less 1 for each wrong guess."""
    options = [Option("", Text("toy/pass"))]
    options += [Option(weather, Text("toy/weather", (weather,))) for weather in WEATHERS]
    seat, points = game.seat_of(piece), 3
    faults, about = game.content.faults, ABOUT
    player = next(player for player in game.players if player.seat == seat)
    more = len(_dazzles(game, player)) if "leak/seconds" in faults else 0
    with game.timer(Text("toy/riddle"), RIDDLE_SECONDS + more) as timer:
        while not timer.is_over:
            guess = await game.choose(seat, options, rule="TOY-22", about=about, prompt=PROMPT)
            if "leak/guess" in faults:
                about = Text("toy/about", (guess,))
            if guess == game.table.weather and not timer.is_over:
                break
            points = max(0, points - 1)
    if not timer.is_over:
        game.emit(Scored(piece, points))


def _dazzles(game: Toy, player: Player) -> list[int]:
    """Return the points for which a player can dazzle."""
    omens = [game.table.people[piece].omen for piece in player.characters]
    return [1, 2] if any(omen and omen.value in BRIGHT for omen in omens) else [1]


async def feud(game: Toy, piece: str) -> None:
    """Let a piece score, beside others: each may trip it once if it has a bright omen. TOY-21."""
    stride = Prompt(PROMPT, tuple(Option(n, Text("toy/stride", (n,))) for n in (1, 2)))
    left = [player for player in game.players if player.seat != game.seat_of(piece)]
    while True:
        trips = {player.seat: _trips(game, player) for player in left}
        if "leak/asked" in game.content.faults:
            trips = {seat: put for seat, put in trips.items() if put.options}
        is_leak = "leak/about" in game.content.faults and any(p.options for p in trips.values())
        about = Text("toy/about", ("here and there",)) if is_leak else ABOUT
        done = await game.beside(game.seat_of(piece), stride, trips, rule="TOY-21", about=about)
        if not isinstance(done, Interruption):
            game.emit(Scored(piece, done))
            return
        game.emit(Scored(done.value, 1))
        left = [player for player in left if player.seat != done.seat]


def _trips(game: Toy, player: Player) -> Prompt[str]:
    """Return how a player can trip others: an option for each piece with a bright omen."""
    can = [
        p for p in player.characters if (omen := game.table.people[p].omen) and omen.value in BRIGHT
    ]
    return Prompt(PROMPT, tuple(Option(piece, Text("toy/trip", (piece,))) for piece in can))


FOR_ALL: Mapping[str, Callable[[Toy], Coroutine[Any, Any, None]]] = {
    "ambush": ambush,
    "ballot": ballot,
    "errand": errand,
    "flash": flash,
    "flurry": flurry,
    "march": march,
    "moot": moot,
    "motion": motion,
    "packing": packing,
    "poll": poll,
    "urn": lambda game: poll(game, Audience.NOBODY),
}
"""The question that a card of each kind asks the whole table."""


async def hide(game: Toy, piece: str) -> None:
    """Let a piece turn faceup cards down; after each its facedown cards are mixed."""
    faceup = game.table.people[piece].faceup
    options = [Option(h, Text("toy/card", (card,)), (Point("card", h),)) for h, card in faceup]
    chosen = await game.choose_some(
        game.seat_of(piece),
        options,
        rule="TOY-7",
        about=ABOUT,
        prompt=PROMPT,
        at_least=0,
        at_most=2,
        is_ordered=True,
    )
    for handle in chosen:
        game.emit(TurnedDown(piece, handle))
        mix_hand(game, piece)


def tell(game: Toy, piece: str) -> None:
    """Disclose a piece's omen to everybody."""
    omen = game.table.people[piece].omen
    assert omen is not None
    game.emit(OmenShown(piece, game.disclose(omen)))


def gamble(game: Toy, piece: str) -> None:
    """Roll; on an even number two seats learn the top card of the deck."""
    (face,) = game.roll("gamble", 1, sides=6)
    deck = game.table.piles["deck"]
    if face % 2 or not deck:
        return
    seats = [player.seat for player in game.players]
    mine = game.seat_of(piece)
    after = seats[(seats.index(mine) + 1) % len(seats)]
    both = tuple(sorted({mine, after}))
    game.emit(Rumoured(both, deck[0], hidden(game.table.card_of(deck[0]))))


async def night(game: Toy) -> None:
    """Dream, burn omens, and clear the table. Chat is allowed again."""
    game.set_chat(is_open=True)
    # For every seat, whatever its omens do: that a question comes tells nothing.
    dreams = {}
    for player in game.players:
        omens = [game.table.people[piece].omen for piece in player.characters]
        words = "+".join(omen.value.replace("omen/", "dream/") for omen in omens if omen)
        wish, last = game.prepared(player.seat), game.brought(player.seat)
        words += "".join(f"+{said.decode()}" for said in (wish, last) if said is not None)
        dreams[player.seat] = hidden(words)
    game.emit(Dreamt(dreams))
    options = (Option("keep", Text("toy/keep")), Option("burn", Text("toy/burn")))
    prompts = {player.seat: Prompt(PROMPT, options) for player in game.players}
    picks = await game.each(prompts, rule="TOY-8", about=ABOUT)
    for player in game.players:
        if picks[player.seat][0] == "burn":
            burn(game, player.characters[0])
    clear(game)
    game.emit(RoundEnded())
    game.lapse("round")
    if game.table.round_number >= game.content.rounds:
        best = max(game.table.people.values(), key=lambda person: person.points)
        keep(game)
        game.emit(Ended(best.piece))


CAMPAIGN = "campaign/toy"


def keep(game: Toy) -> None:
    """Keep the points for the next game of the campaign, and for each seat its last dream."""
    before = int.from_bytes(game.legacy.shared) if game.legacy is not None else 0
    points = before + sum(person.points for person in game.table.people.values())
    own = {
        seat: hidden(Padded.of(dream.value.encode())) for seat, dream in game.table.dreams.items()
    }
    game.emit(Kept(Legacy(CAMPAIGN, points.to_bytes(4)), own))


def burn(game: Toy, piece: str) -> None:
    """Put a piece's omen back, mix the omens, and deal the top one."""
    game.emit(OmenBurned(piece))
    game.shuffle("omens")
    deal_omen(game, piece)


def clear(game: Toy) -> None:
    """Put all faceup cards back into the deck."""
    gone = 0
    for piece, person in game.table.people.items():
        for handle, _ in person.faceup:
            game.emit(Discarded(piece, handle))
            gone += 1
    if gone:
        game.shuffle("deck")


def spring(game: Toy, piece: str) -> None:
    """Emit an event, then raise. A planted fault."""
    game.emit(Scored(piece, 99))
    game.roll("trap", 1, sides=6)
    raise ZeroDivisionError("a planted fault")


SNARED: list[str] = []
"""
Steps that the `finally` block of a snare has reached: `tried` before its write, `wrote` after it.
"""


async def snare(game: Toy, piece: str) -> None:
    """Ask, and emit in a `finally`, which rules must not do. A planted fault."""
    seat = game.seat_of(piece)
    options = (Option("on", Text("toy/on")), Option("trap", Text("toy/trap")))
    ask = Ask("TOY-9", ABOUT, {seat: Prompt(PROMPT, options)}, Settle.EACH)
    try:
        picks = await game.ask(ask)
        if picks[seat] == ("trap",):
            spring(game, piece)
    finally:
        if "clinging" in game.content.faults:
            await game.ask(ask)
        SNARED.append("tried")
        game.emit(Scored(piece, 1))
        SNARED.append("wrote")
