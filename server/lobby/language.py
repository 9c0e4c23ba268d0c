"""The language of the words that a session receives."""

from itertools import chain

from protocol import messages
from server.lobby.requests.handlers import ANSWERED, Needs, Reply, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.registry import Registry


@handles(messages.ChooseLanguage, needs=Needs.SERVER, cost=Cost.MADE)
async def choose_language(
    visitor: Visitor, message: messages.ChooseLanguage, registry: Registry, replies: Replies
) -> Reply:
    """Change the language of a session: send all its words again, then the reply."""
    session, language = visitor.session, message.language
    if language == visitor.words.language:
        return None
    subjects = visitor.words.change(language)
    words = [visitor.words.for_subjects(replies.catalogs(), subjects)]
    hosts = (registry.hosts.get(room_id) for room_id in sorted(visitor.following))
    words += [
        host.followers.change_language(session, language) for host in hosts if host is not None
    ]
    # Streamed: the words of several tables can be more than the queue holds.
    session.stream(chain(*words, [messages.Done(message.serial)]))
    return ANSWERED
