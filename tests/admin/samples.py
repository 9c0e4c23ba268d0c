"""A sample of each message between the operator's command and the server."""

from collections.abc import Sequence

from protocol.common.table import Stage
from server.admin import vocabulary as said
from server.lobby.tables.opening_policy import Opening

WHO = "f3kq-7a2c"
TABLE = "5e1b0a7d3c2f4e6a8b9c0d1e"
WHEN = 1_700_000_000_000

SAMPLES: Sequence[said.Said] = (
    said.AskState(),
    said.AskTables(TABLE, with_finished=True),
    said.AskPeople(7),
    said.AskOpening(WHO),
    said.AskBans("192.0.2.7"),
    said.Announce("Bonne soirée."),
    said.Kick(WHO),
    said.Ban("192.0.2.0/24", "a flood"),
    said.Unban(WHO),
    said.SetOpening(Opening.PASSWORD, "correct horse"),
    said.Allow(WHO),
    said.Disallow(WHO),
    said.SetQuotas(5, 20),
    said.UseSettings(),
    said.BeginDrain(30),
    said.CancelDrain(),
    said.BackUp("/srv/backups/monday"),
    said.Revoke(TABLE),
    said.PauseTable(TABLE, "the machine is moved"),
    said.ResumeTable(TABLE, "it is moved"),
    said.CloseTable(TABLE, "nobody came"),
    said.AgreeToGoBack(TABLE),
    said.Done(3),
    said.No("no_such_table", TABLE),
    said.State("Manse", "1.0", "127.0.0.1:4470", WHO, *range(14)),
    said.TableReport(
        (
            said.TableLine(
                *(TABLE, "core/house", Stage.PLAYING, ("Ann", "Ben"), 1, 0, WHEN),
                is_loaded=True,
                is_stopped=False,
                is_halted=False,
                is_paused=True,
            ),
        ),
        is_last=False,
    ),
    said.PeopleReport((said.PersonLine(4, "Ann", WHO, "192.0.2.7", (TABLE,)),), is_last=True),
    said.BanReport((said.BanLine(WHO, "a flood", WHEN),), is_last=True),
    said.OpeningReport(
        *(Opening.LISTED, True, 5, 20, (WHO,)),
        is_last=True,
        is_chosen=False,
    ),
)
