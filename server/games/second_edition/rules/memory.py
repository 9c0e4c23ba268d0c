"""Memory: the numbers that the scenario stores, and the events that record them."""

from protocol.games.second_edition.events import MEMORY_PARTS, CounterSet, MemoryKept
from server.rulekit.memory import Memory

MEMORY = Memory(MemoryKept, CounterSet, MEMORY_PARTS)
number = MEMORY.number
remember = MEMORY.remember
write_down = MEMORY.write_down
