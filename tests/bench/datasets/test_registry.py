from __future__ import annotations

from pathlib import Path

import pytest

from bench.datasets import DATASETS, load_dataset
from bench.errors import BenchError, DataMissing


def test_unknown_name_lists_those_that_there_are(tmp_path: Path) -> None:
    with pytest.raises(BenchError) as caught:
        load_dataset("locomotive", tmp_path)
    assert all(name in str(caught.value) for name in DATASETS)


@pytest.mark.parametrize("name", DATASETS)
def test_every_set_says_that_its_data_is_missing(name: str, tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="PERDURE_BENCH_DATA"):
        load_dataset(name, tmp_path)
