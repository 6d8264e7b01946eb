from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bench.scale.vectors import DIMENSION, SumEmbedder
from bench.scale.words import texts, vocabulary
from bench.scale.world import BATCH, BIG, QUERIES, make_world, new_turns, queries


def test_texts_are_the_same_every_time_and_all_different() -> None:
    made = list(texts(3, 3_000, circle=12))
    assert made == list(texts(3, 3_000, circle=12))
    assert len(set(made)) == 3_000


def test_a_longer_run_of_texts_begins_as_a_shorter_one() -> None:
    assert list(texts(1, 2_500, circle=12))[:100] == list(texts(1, 100, circle=12))


def test_the_first_text_is_pinned() -> None:
    assert next(texts(0, 1, circle=200)) == (
        "Wouzodreaje told Ploukropalou that the pelu kraplikou was stujozu by the jatrebraidru in Jajadaiwi"
    )


def test_two_users_say_different_things() -> None:
    assert not set(texts(1, 500, circle=12)) & set(texts(2, 500, circle=12))


def test_few_words_are_frequent_and_most_are_rare() -> None:
    counts = Counter(word for text in texts(0, 5_000, circle=200) for word in text.split())
    invented = [counts[word] for word in vocabulary().words]
    assert invented[0] > 20 * invented[99] > 0
    assert sum(1 for count in invented if 0 < count <= 2) > 3_000


@pytest.mark.parametrize("size", [20, 1_000, 9_999])
def test_a_world_has_exactly_its_size_and_the_big_user_55_percent(size: int) -> None:
    world = make_world(size)
    fed = Counter[str]()
    for batch in world.batches():
        assert 0 < len(batch.turns) <= BATCH
        fed[batch.owner] += len(batch.turns)
    assert dict(fed) == dict(world.counts)
    assert sum(fed.values()) == size
    assert fed[BIG] == round(0.55 * size)


def test_ids_are_unique_and_each_user_is_fed_in_order() -> None:
    world = make_world(2_000)
    turns = [turn for batch in world.batches() for turn in batch.turns]
    big = [turn for turn in turns if turn.session.startswith(f"{BIG}-")]
    assert len({turn.id for turn in turns}) == 2_000
    assert big == list(world.turns(BIG))
    assert [turn.at for turn in big] == sorted(turn.at for turn in big)


def test_the_others_sizes_fall_from_the_first_to_the_last() -> None:
    counts = list(make_world(10_000).counts.values())[1:]
    assert len(counts) == 200
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] >= 1


def test_a_world_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 20"):
        make_world(19)


def test_common_queries_name_frequent_words_and_rare_ones_name_rare_words() -> None:
    world = make_world(1_000)
    said = Counter(word for turn in world.turns(BIG) for word in turn.text.replace(",", "").split())
    asked = queries(world, BIG)
    assert {len(asked.common), len(asked.rare), len(asked.dated)} == {QUERIES}
    assert said[asked.common[0].rstrip("?").split()[-1]] >= 5
    assert [said[query.split()[2]] for query in asked.rare] == [1] * QUERIES
    assert asked.dated[0] == "What happened in January 2022?"


def test_new_turns_go_on_where_the_last_ones_ended() -> None:
    assert new_turns(0, 30)[20:] == new_turns(20, 10)


def test_vectors_are_unit_deterministic_and_near_for_common_words() -> None:
    embedder = SumEmbedder()
    rows = embedder.embed(["Ana keeps bees", "ana KEEPS bees", "Ana keeps goats", "a boat at sea", ""])
    assert rows.shape == (5, DIMENSION)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-6)
    assert np.array_equal(rows[0], rows[1])
    assert rows[0] @ rows[2] > 0.5 > abs(rows[0] @ rows[3])
    assert np.array_equal(rows[3:], SumEmbedder().embed(["a boat at sea", ""]))
