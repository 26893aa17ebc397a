"""What tests of the store ask for: a store, or one transaction of it."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.async_tests import OpenedInLoop, run
from tests.unit.adapters.store.builders import opened


@pytest.fixture
def store(tmp_path: Path) -> OpenedInLoop:
    """Return an empty store."""
    return OpenedInLoop(opened(tmp_path))


@pytest.fixture
def tx(tmp_path: Path) -> Path:
    """Make the whole test one transaction of an empty store; the test gets it in place of this folder."""
    return tmp_path


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that asks for `tx` where transactions run, and store what it did."""
    arguments: dict[str, Any] = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    if "tx" not in arguments:
        return None

    async def transact() -> None:
        async with opened(arguments["tx"]) as store:
            await store.transact(lambda tx: pyfuncitem.obj(**arguments | {"tx": tx}))

    run(transact())
    return True
