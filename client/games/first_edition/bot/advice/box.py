"""Advice on cards that any story can use."""

from client.games.first_edition.bot.advice.forms import Cards, Moment, Power, Strike, Use

CARDS = Cards(
    openers={
        "lock/vestry-door": "item/vestry-key",
    },
    healing={
        "item/nurses-bag": (1, 0),
        "item/smelling-salts": (0, 2),
        "item/pewter-flask": (2, 1),
        "item/funeral-port": (1, 2),
        "item/laudanum": (0, 4),
        "item/bandages": (3, 0),
        "trait/marrow-stubborn": (2, 0),
        "trait/voss-bedside": (0, 1),
        "trait/pell-steadfast": (0, 2),
        "trait/ashe-student": (3, 0),
        "spell/plain-speaking": (0, 2),
    },
    uses={
        "trait/tull-whistle": Use.AGAINST_MONSTERS,
        "item/cunning-mans-notes": Use.AGAINST_MONSTERS,
        "trait/calloway-lucky": Use.AT_ONCE,
        "item/visiting-book": Use.AT_ONCE,
        "trait/thripp-curious": Use.SIDELINE,
        "trait/wynn-open-line": Use.SIDELINE,
    },
    mythos={
        "mythos/draught": Strike(40.0, Moment.BEFORE_EXPLORING, 5.0),
        "mythos/chair-scrapes": Strike(45.0, Moment.ALONE, 25.0),
        "mythos/wrong-door": Strike(45.0, Moment.BEFORE_EXPLORING, 12.0),
        "mythos/hand-on-the-shoulder": Strike(60.0),
        "mythos/steps-overhead": Strike(45.0, Moment.MONSTER_NEAR),
        "mythos/black-edged-letter": Strike(45.0),
        "mythos/wet-footprints": Strike(40.0, Moment.BEFORE_EXPLORING, 20.0),
        "mythos/pocket-turned-out": Strike(45.0, Moment.MONSTER_NEAR, 15.0),
        "mythos/called-by-name": Strike(40.0),
        "mythos/name-in-the-dust": Strike(40.0),
        "mythos/loose-board": Strike(40.0, Moment.MONSTER_NEAR, 6.0),
        "mythos/laughter-below": Strike(40.0),
        "mythos/breath-on-the-neck": Strike(50.0),
        "mythos/not-as-dead-as-that": Strike(35.0),
    },
    actions={
        "action/they-walk": Power.MOVES,
        "action/they-run": Power.MOVES,
        "action/all-together": Power.MOVES,
        "action/listen-at-doors": Power.DRAWS_MYTHOS,
        "action/old-hurts": Power.DRAWS_TRAUMA,
        "action/sparks": Power.BURNS,
        "action/out-with-the-lamps": Power.DARKENS,
        "action/laying-on-of-hands": Power.HEALS_MONSTERS,
    },
)
