"""A program that is killed while it forgets a person: `python -m tests.kills.forgetting_victim FOLDER STEP`.

The step counts what the store commits and the compaction; -1 counts all of them without a kill, and prints how many.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from tests.fakes.telegram import MARTA
from tests.support.person_room import furnish, person_engine


async def main(folder: Path, step: int) -> int:
    """Forget Marta, and die after a step."""
    done = 0
    async with person_engine(folder) as there:
        await furnish(there)
        store = there.room.store

        def dying(plain: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def call(*values: Any, **options: Any) -> Any:
                nonlocal done
                result = await plain(*values, **options)
                done += 1
                if done == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return result

            return call

        store.transact = dying(store.transact)  # type: ignore[method-assign,assignment]
        store.compact = dying(store.compact)  # type: ignore[method-assign,assignment]
        await there.room.engine.people.forget(MARTA)
    return done


if __name__ == "__main__":
    sys.stdout.write(str(asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))))
