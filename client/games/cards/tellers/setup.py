"""Setup in words: the chaos bag, the lead, the cards of the story, the locations."""

from collections.abc import Iterator

from client.games.cards.tellers.base import CardsContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.cards import events as c
from protocol.games.cards.words import Zone

one_line(
    c.BagFilled,
    "bag_filled",
    lambda e, at: (at.speaker.level(e.difficulty), at.speaker.chaos_row(e.tokens)),
)
one_line(c.LeadChosen, "lead", lambda e, at: (at.who(e.investigator),))
one_line(c.LocationLaid, "location_laid", lambda e, at: (at.card(e.code),))


@tells(c.Laid)
def _(event: c.Laid, at: CardsContext) -> Iterator[Told]:
    as_story = {Zone.ACT: "laid.act", Zone.AGENDA: "laid.agenda", Zone.SCENARIO: "laid.scenario"}
    if event.to.zone in as_story:
        yield Tone.STEP, at.say(as_story[event.to.zone], at.card(event.code))
        # The next act or agenda is a page to be read.
        is_page = event.to.zone is not Zone.SCENARIO
        yield from at.printed(event.code, Tone.CARD if is_page else Tone.ACTION)
    else:
        yield Tone.ACTION, at.say("laid", at.card(event.code), at.speaker.lies(at.game, event.to))


@tells(c.WeaknessesDealt)
def _(event: c.WeaknessesDealt, at: CardsContext) -> Iterator[Told]:
    who = at.who(event.investigator)
    if event.weaknesses.is_open:
        names = ", ".join(at.card(code) for code in event.weaknesses.value)
        yield Tone.PRIVATE, at.say("weakness_own", who, names)
    else:
        yield Tone.ACTION, at.say("weakness", who)
