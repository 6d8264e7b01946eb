"""The contract of every store, for its author to run: subclass, open an empty store, run pytest.

    class TestMine(StoreContract):
        async def open_store(self, directory: Path, clock: Clock) -> Store:
            return await MyStore.open(directory / "store", clock=clock)

Needs pytest, pytest-asyncio in its auto mode, and hypothesis.
"""

from __future__ import annotations

from perdure.testing.contract_care import CareContract
from perdure.testing.contract_clocks import ClockContract
from perdure.testing.contract_isolation import IsolationContract
from perdure.testing.contract_items import ItemContract
from perdure.testing.contract_ledger import LedgerContract
from perdure.testing.contract_signals import SignalContract
from perdure.testing.contract_writes import WriteContract


class StoreContract(
    WriteContract,
    ItemContract,
    SignalContract,
    LedgerContract,
    IsolationContract,
    ClockContract,
    CareContract,
):
    """Every law of the Store port as a test."""
