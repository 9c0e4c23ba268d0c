"""Fighting Fire, in words."""

from client.games.second_edition.tellers.base import one_line
from protocol.games.second_edition import events as se

one_line(se.FireFought, "fire_fought", lambda e, at: (at.who(e.investigator), e.successes))
one_line(
    se.FirePutOut,
    "fire_put_out",
    lambda e, at: (
        at.who(e.investigator),
        at.space(at.game_before.features[e.feature].space),
    ),
)
