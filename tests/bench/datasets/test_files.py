from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from bench.datasets.files import DataFolder, stored_hashes
from bench.errors import BenchError, DataChanged, DataMissing
from tests.bench.datasets.conftest import Folder


def test_file_with_the_expected_hash_is_read(folder: Folder) -> None:
    folder.write("set/a.json.gz", {"name": "Ada"})
    assert DataFolder(folder.root, folder.hashes).json("set/a.json.gz").text("name") == "Ada"


def test_changed_file_is_refused_with_both_hashes(folder: Folder) -> None:
    folder.write("set/a.json", [])
    found = folder.hashes["set/a.json"]
    with pytest.raises(DataChanged) as caught:
        DataFolder(folder.root, {"set/a.json": "0" * 64}).json("set/a.json")
    assert all(part in str(caught.value) for part in ("set/a.json", "0" * 64, found))


def test_missing_file_says_where_it_was_looked_for_and_what_to_give(tmp_path: Path) -> None:
    with pytest.raises(DataMissing) as caught:
        DataFolder(tmp_path, {}).json("set/a.json")
    expected = ("set/a.json", str(tmp_path), "--data", "PERDURE_BENCH_DATA")
    assert all(part in str(caught.value) for part in expected)


def test_folder_without_files_of_the_kind_is_missing_data(tmp_path: Path) -> None:
    with pytest.raises(DataMissing, match="set/\\*\\.json"):
        DataFolder(tmp_path, {}).names("set", ".json")


def test_unknown_file_is_refused_with_its_hash_and_what_to_do(folder: Folder) -> None:
    folder.write("set/a.json", [])
    with pytest.raises(DataChanged) as caught:
        DataFolder(folder.root, {}).json("set/a.json")
    assert folder.hashes["set/a.json"] in str(caught.value)
    assert "a.json.sha256" in str(caught.value)


def test_unknown_file_is_read_if_its_hash_stands_beside_it(folder: Folder) -> None:
    folder.write("set/a.json", [])
    beside = folder.root / "set/a.json.sha256"
    beside.write_text(f"{folder.hashes['set/a.json'].upper()}  a.json\n")
    assert DataFolder(folder.root, {}).json("set/a.json").each() == []


def test_hash_beside_a_file_does_not_overrule_the_one_that_is_expected(folder: Folder) -> None:
    folder.write("set/a.json", [])
    (folder.root / "set/a.json.sha256").write_text(folder.hashes["set/a.json"])
    with pytest.raises(DataChanged):
        DataFolder(folder.root, {"set/a.json": "0" * 64}).json("set/a.json")


@pytest.mark.parametrize("name", ["set/a.json", "set/b.json.gz"])
def test_what_is_no_text_is_refused_by_name(folder: Folder, name: str) -> None:
    folder.write_bytes(name, b"\xff\xfe")
    with pytest.raises(BenchError, match=name):
        DataFolder(folder.root, folder.hashes).json(name)


def test_file_that_is_not_packed_as_its_name_says_is_refused(folder: Folder) -> None:
    (folder.root / "a.gz").write_bytes(b"plain")
    hashes = {"a.gz": hashlib.sha256(b"plain").hexdigest()}
    with pytest.raises(BenchError, match=r"a\.gz: cannot be unpacked"):
        DataFolder(folder.root, hashes).text("a.gz")


def test_line_that_is_no_json_is_named(folder: Folder) -> None:
    folder.write("a.jsonl", '{"n": 1}\n\n{"n": \n')
    with pytest.raises(BenchError, match=r"a\.jsonl, line 3"):
        list(DataFolder(folder.root, folder.hashes).json_lines("a.jsonl"))


def test_hash_of_a_set_is_of_its_files_hashes_in_order_of_names(folder: Folder) -> None:
    folder.write("b.json", 2)
    folder.write("a.json", 1)
    files = DataFolder(folder.root, folder.hashes)
    files.json("b.json")
    files.json("a.json")
    joined = folder.hashes["a.json"] + folder.hashes["b.json"]
    assert files.sha256 == hashlib.sha256(joined.encode()).hexdigest()


def test_every_stored_hash_is_a_sha256() -> None:
    assert len(stored_hashes()) == 37
    assert all(len(value) == 64 and int(value, 16) >= 0 for value in stored_hashes().values())
