"""Runs stories and prints their results: `python -m tests.whole SEED…`."""

import sys
import time

from tests.kit import known_packs
from tests.whole.story import Story

known_packs.remember()
for seed in map(int, sys.argv[1:]):
    began = time.process_time()
    story = Story(seed).run()
    troubles = dict(sorted(story.happened.items()))
    sys.stdout.write(f"{seed} {story.digest} {story.records} {troubles}\n")
    sys.stderr.write(f"  {time.process_time() - began:.2f} s of CPU\n")
    for fault in story.faults:
        sys.stdout.write(f"   {fault}\n")
