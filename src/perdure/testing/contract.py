"""The contract of every store, for its author to run: subclass, open an empty store, run pytest.

    class TestMine(StoreContract):
        async def open_store(self, directory: Path, clock: Clock) -> Store:
            return await MyStore.open(directory / "store", clock=clock)

Needs pytest, pytest-asyncio in its auto mode, and hypothesis.
"""

from __future__ import annotations

from perdure.testing.contract_items import ItemContract
from perdure.testing.contract_writes import WriteContract


class StoreContract(WriteContract, ItemContract):
    """Every law of the Store port as a test."""
