-- part scope: the ids of the scopes that a read of the given one covers; byte for byte.
SELECT id FROM scopes
WHERE :user_id IS NOT NULL AND workspace = :workspace AND user_id = :user_id
  AND (:agent_id IS NULL OR agent_id = :agent_id)
  AND (:app_id IS NULL OR app_id = :app_id)
  AND (:run_id IS NULL OR run_id = :run_id)
UNION ALL
SELECT id FROM scopes
WHERE :user_id IS NULL AND workspace = :workspace
  AND (:agent_id IS NULL OR agent_id = :agent_id)
  AND (:app_id IS NULL OR app_id = :app_id)
  AND (:run_id IS NULL OR run_id = :run_id)

-- part exact_scope: the id of the given scope itself.
SELECT id FROM scopes WHERE key = :scope_key

-- part known: the span `k` holds at the view's record time.
CASE WHEN :known_at IS NULL THEN k.recorded_to IS NULL
     ELSE k.recorded_from <= :known_at AND (k.recorded_to IS NULL OR k.recorded_to > :known_at) END

-- part shown: the view shows version `k`; must equal View.shows.
{{known}}
AND (:validity = 'current' OR (
    k.status IN ('active', 'disputed', 'suspect')
    AND (:unexpired_on IS NULL OR k.expires_on IS NULL OR k.expires_on >= :unexpired_on)
    AND CASE :validity
        WHEN 'any' THEN 1
        WHEN 'at' THEN (k.valid_from IS NULL OR k.valid_from <= :valid_at)
                   AND (k.valid_to IS NULL OR k.valid_to > :valid_at)
        ELSE k.valid_to IS NULL OR k.valid_to > :valid_at END))

-- part seen: the view shows episode `e`.
(:validity = 'current' OR (
    EXISTS (SELECT 1 FROM episode_spans AS k WHERE k.episode_id = e.id AND {{known}})
    AND (:validity <> 'at' OR e.said_at IS NULL OR e.said_at <= :valid_at)))

-- part item_shown: the view shows the item (`kind`, `item_id`) of `i`.
CASE i.kind
    WHEN 'fact' THEN EXISTS (
        SELECT 1 FROM facts AS f JOIN versions AS k ON k.fact_id = f.id
        WHERE f.id = i.item_id AND f.scope_id IN ({{scope}}) AND {{shown}})
    ELSE EXISTS (
        SELECT 1 FROM episodes AS e
        WHERE e.id = i.item_id AND e.scope_id IN ({{scope}}) AND {{seen}}) END

-- part fact: the columns of a fact and its version `k`.
f.id, f.created_at, s.workspace, s.user_id, s.agent_id, s.app_id, s.run_id, k.*

-- part episode: the columns of an episode.
e.*, s.workspace, s.user_id, s.agent_id, s.app_id, s.run_id

-- part scoped: the columns of a row `t` and its scope.
t.*, s.workspace, s.user_id, s.agent_id, s.app_id, s.run_id

-- migrations: what was applied.
SELECT number, sha256 FROM migrations ORDER BY number;

-- add_migration: remember a migration.
INSERT INTO migrations (number, name, sha256) VALUES (:number, :name, :sha256);

-- get_meta: one counter.
SELECT value FROM meta WHERE name = :name;

-- set_meta: set one counter.
UPDATE meta SET value = :value WHERE name = :name;

-- bump_generation: tell every cache to start anew.
UPDATE meta SET value = value + 1 WHERE name = 'generation';

-- scope_ids: the scopes a read covers.
{{scope}};

-- scope_of: one scope by id.
SELECT workspace, user_id, agent_id, app_id, run_id FROM scopes WHERE id = :scope_id;

-- exact_scope_id: the id of exactly this scope.
{{exact_scope}};

-- add_scope: intern a scope.
INSERT INTO scopes (workspace, user_id, agent_id, app_id, run_id, key)
VALUES (:workspace, :user_id, :agent_id, :app_id, :run_id, :scope_key);

-- applied: when this key was applied.
SELECT recorded_at FROM applied WHERE workspace = :workspace AND key = :key;

-- add_applied: remember that a key was applied.
INSERT INTO applied (workspace, key, recorded_at) VALUES (:workspace, :key, :now);

-- facts_by_id: the facts with these ids as the view shows them.
SELECT {{fact}}
FROM {{list ids}} AS wanted
CROSS JOIN facts AS f ON f.id = wanted.value
JOIN scopes AS s ON s.id = f.scope_id
JOIN versions AS k ON k.fact_id = f.id
WHERE f.scope_id IN ({{scope}}) AND {{shown}};

-- sources_of_facts: what supports these facts at the view's record time; oldest first.
SELECT k.* FROM {{list ids}} AS wanted
CROSS JOIN sources AS k ON k.fact_id = wanted.value
WHERE {{known}}
ORDER BY k.recorded_from, k.id;

-- sources: what supported these facts at a record time, for facts in scope.
SELECT k.* FROM {{list ids}} AS wanted
CROSS JOIN facts AS f ON f.id = wanted.value
CROSS JOIN sources AS k ON k.fact_id = f.id
WHERE f.scope_id IN ({{scope}}) AND {{known}}
ORDER BY k.recorded_from, k.id;

-- list_facts: ids of the shown facts after the cursor; newest first, ties by id.
SELECT f.id, f.created_at FROM facts AS f
WHERE f.scope_id IN ({{scope}})
  AND (:after_at IS NULL OR f.created_at < :after_at OR (f.created_at = :after_at AND f.id > :after_id))
  AND EXISTS (SELECT 1 FROM versions AS k WHERE k.fact_id = f.id AND {{shown}})
ORDER BY f.created_at DESC, f.id
LIMIT :size;

-- count_facts: how many facts the view shows.
SELECT count(*) FROM facts AS f
WHERE f.scope_id IN ({{scope}})
  AND EXISTS (SELECT 1 FROM versions AS k WHERE k.fact_id = f.id AND {{shown}});

-- history: every version of a fact, oldest first.
SELECT k.* FROM facts AS f JOIN versions AS k ON k.fact_id = f.id
WHERE f.id = :fact_id AND f.scope_id IN ({{scope}})
ORDER BY k.number;

-- slot_facts: ids of the facts now in these slots of exactly this scope, oldest first; [[[subject], [attribute]], ...].
SELECT DISTINCT f.id, f.created_at
FROM json_each(:slots) AS wanted
CROSS JOIN versions AS k
    ON k.scope_id = ({{exact_scope}})
   AND k.slot_subject = plain_text(json_extract(wanted.value, '$[0]'))
   AND k.slot_attribute = plain_text(json_extract(wanted.value, '$[1]'))
JOIN facts AS f ON f.id = k.fact_id
WHERE k.recorded_to IS NULL AND k.slot_attribute IS NOT NULL AND k.status NOT IN ('deleted', 'merged')
ORDER BY f.created_at, f.id;

-- facts_by_fingerprint: ids of the visible facts of exactly this scope with these fingerprints, oldest first.
SELECT f.id FROM {{list fingerprints}} AS wanted
CROSS JOIN versions AS k ON k.scope_id = ({{exact_scope}}) AND k.fingerprint = wanted.value
JOIN facts AS f ON f.id = k.fact_id
WHERE k.recorded_to IS NULL AND k.status IN ('active', 'disputed', 'suspect')
ORDER BY f.created_at, f.id;

-- facts_of_episodes: ids of the facts that rest on these episodes now, oldest first.
SELECT DISTINCT f.id, f.created_at FROM {{list ids}} AS wanted
CROSS JOIN sources AS src ON src.episode_id = wanted.value AND src.recorded_to IS NULL
JOIN facts AS f ON f.id = src.fact_id
WHERE f.scope_id IN ({{scope}})
ORDER BY f.created_at, f.id;

-- stale_episodes: those of these episodes that state something, all of which has stopped being true.
SELECT e.id FROM {{list ids}} AS wanted
CROSS JOIN episodes AS e ON e.id = wanted.value
WHERE e.scope_id IN ({{scope}})
  AND EXISTS (
    SELECT 1 FROM (SELECT k.fact_id FROM sources AS k WHERE k.episode_id = e.id AND {{known}}) AS stated
    JOIN versions AS k ON k.fact_id = stated.fact_id
    WHERE {{known}} AND k.status IN ('active', 'disputed', 'suspect', 'retracted'))
  AND NOT EXISTS (
    SELECT 1 FROM (SELECT k.fact_id FROM sources AS k WHERE k.episode_id = e.id AND {{known}}) AS stated
    JOIN versions AS k ON k.fact_id = stated.fact_id
    WHERE {{known}} AND k.status IN ('active', 'disputed', 'suspect')
      AND (k.valid_to IS NULL OR k.valid_to > :valid_at));

-- episodes_by_id: the episodes with these ids as the view shows them.
SELECT {{episode}}
FROM {{list ids}} AS wanted
CROSS JOIN episodes AS e ON e.id = wanted.value
JOIN scopes AS s ON s.id = e.scope_id
WHERE e.scope_id IN ({{scope}}) AND {{seen}};

-- list_episodes: the shown episodes after the cursor, in the order they were recorded.
SELECT {{episode}}
FROM episodes AS e JOIN scopes AS s ON s.id = e.scope_id
WHERE e.scope_id IN ({{scope}}) AND e.seq > :after_seq AND {{seen}}
ORDER BY e.seq
LIMIT :size;

-- episode_ids: which fingerprints exactly this scope holds; the oldest episode last.
SELECT e.fingerprint, e.id FROM {{list fingerprints}} AS wanted
CROSS JOIN episodes AS e ON e.scope_id = ({{exact_scope}}) AND e.fingerprint = wanted.value
ORDER BY e.seq DESC;

-- operation_episodes: the episodes that an operation captured, in order.
SELECT {{episode}}
FROM episodes AS e JOIN scopes AS s ON s.id = e.scope_id
WHERE e.scope_id IN ({{scope}}) AND e.operation_id = :operation_id
ORDER BY e.seq;

-- keyword_ranks: BM25 (k1 1.2, b 0.75) of every unit in scope that holds a token; best first, ties by item.
WITH scoped AS MATERIALIZED ({{scope}}),
corpus AS MATERIALIZED (
    SELECT count(*) AS units, avg(length) AS mean_length FROM units
    WHERE scope_id IN (SELECT id FROM scoped) AND (:known_at IS NULL OR recorded_at <= :known_at)),
held AS MATERIALIZED (
    SELECT t.value AS term, p.unit_id, p.tf, u.length, u.item_id
    FROM (SELECT DISTINCT value FROM {{list tokens}}) AS t
    CROSS JOIN scoped AS s
    CROSS JOIN postings AS p ON p.scope_id = s.id AND p.term = t.value
    CROSS JOIN units AS u ON u.id = p.unit_id
    WHERE :known_at IS NULL OR u.recorded_at <= :known_at),
weights AS MATERIALIZED (
    SELECT term, bm25_idf((SELECT units FROM corpus), count(*)) AS idf FROM held GROUP BY term)
-- Whole numbers of 1e-10, so that the sum is the same in any order of its terms.
SELECT h.unit_id, sum(CAST(round(
    1e10 * w.idf * h.tf * 2.2 / (h.tf + 1.2 * (0.25 + 0.75 * h.length / c.mean_length))
) AS INTEGER)) / 1e10 AS score
FROM corpus AS c CROSS JOIN held AS h JOIN weights AS w ON w.term = h.term
GROUP BY h.unit_id
ORDER BY score DESC, h.item_id;

-- eligible_units: of these index entries, those whose text the view shows.
SELECT u.id, u.kind, u.item_id
FROM json_each(:units) AS wanted CROSS JOIN units AS u ON u.id = wanted.value
WHERE u.scope_id IN ({{scope}})
  AND CASE u.kind
    WHEN 'fact' THEN :facts AND EXISTS (SELECT 1 FROM versions AS k WHERE k.unit_id = u.id AND {{shown}})
    ELSE :episodes AND EXISTS (SELECT 1 FROM episodes AS e WHERE e.unit_id = u.id AND {{seen}}) END;

-- search_times: items that begin in the window, latest first, ties by id.
SELECT 'fact' AS kind, k.fact_id AS item_id, k.valid_from AS begins FROM versions AS k
WHERE :facts AND k.scope_id IN ({{scope}}) AND {{shown}}
  AND k.valid_from IS NOT NULL
  AND (:start IS NULL OR k.valid_from >= :start) AND (:end IS NULL OR k.valid_from < :end)
UNION ALL
SELECT 'episode', e.id, e.said_at FROM episodes AS e
WHERE :episodes AND e.scope_id IN ({{scope}}) AND {{seen}}
  AND e.said_at IS NOT NULL
  AND (:start IS NULL OR e.said_at >= :start) AND (:end IS NULL OR e.said_at < :end)
ORDER BY begins DESC, item_id;

-- active_model: the model that search uses.
SELECT id, name, dimension, is_normalised FROM models WHERE is_active = 1;

-- model: a model by what it is.
SELECT id, is_active FROM models
WHERE name = :name AND dimension = :dimension AND is_normalised = :is_normalised;

-- add_model: remember a model.
INSERT INTO models (name, dimension, is_normalised) VALUES (:name, :dimension, :is_normalised);

-- deactivate_models: no model is in use.
UPDATE models SET is_active = 0 WHERE is_active = 1;

-- activate_model: put a model in use.
UPDATE models SET is_active = 1 WHERE id = :model_id;

-- drop_other_vectors: forget the vectors of all other models.
DELETE FROM vectors WHERE model_id <> :model_id;

-- drop_other_models: forget all other models.
DELETE FROM models WHERE id <> :model_id;

-- new_vectors: vectors past the last one seen of each scope, in order; scopes: [[scope, last seq], ...].
SELECT v.scope_id, v.seq, v.unit_id, v.recorded_at, v.vector, u.item_id, u.kind
FROM json_each(:scopes) AS c
CROSS JOIN vectors AS v
    ON v.model_id = :model_id AND v.scope_id = json_extract(c.value, '$[0]')
   AND v.seq > json_extract(c.value, '$[1]')
JOIN units AS u ON u.id = v.unit_id
ORDER BY v.scope_id, v.seq;

-- waiting_vectors: index entries without a vector of the model, oldest first.
SELECT u.id, u.text FROM units AS u
WHERE NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.unit_id = u.id AND v.model_id = :model_id)
ORDER BY u.id
LIMIT :size;

-- is_any_waiting: 1 if an index entry has no vector of the model.
SELECT EXISTS (
    SELECT 1 FROM units AS u
    WHERE NOT EXISTS (SELECT 1 FROM vectors AS v WHERE v.unit_id = u.id AND v.model_id = :model_id));

-- add_vector: keep a vector unless the entry has one or is gone.
-- A re-embedded entry counts from when its vector in use does, so that known_at finds it as before.
INSERT OR IGNORE INTO vectors (unit_id, model_id, scope_id, recorded_at, vector)
SELECT u.id, :model_id, u.scope_id, coalesce((
    SELECT v.recorded_at FROM vectors AS v JOIN models AS m ON m.id = v.model_id AND m.is_active = 1
    WHERE v.unit_id = u.id), :now), :vector
FROM units AS u WHERE u.id = :unit_id;

-- entities_by_key: the entities with these keys.
SELECT {{scoped}} FROM {{list keys}} AS wanted
CROSS JOIN entities AS t ON t.key = wanted.value
JOIN scopes AS s ON s.id = t.scope_id
WHERE t.scope_id IN ({{scope}})
ORDER BY t.key, t.id;

-- entities_by_id: the entities with these ids.
SELECT {{scoped}} FROM {{list ids}} AS wanted
CROSS JOIN entities AS t ON t.id = wanted.value
JOIN scopes AS s ON s.id = t.scope_id
WHERE t.scope_id IN ({{scope}})
ORDER BY t.id;

-- links_of_entities: what mentions these entities and is shown, newest first, at most :size of a kind for each.
-- Each entity and kind is read from its newest on, no further than :size that are shown.
SELECT l.entity_id, l.kind, l.item_id
FROM {{list ids}} AS wanted
CROSS JOIN entities AS n ON n.id = wanted.value
CROSS JOIN (SELECT 'fact' AS kind UNION ALL SELECT 'episode') AS kinds
CROSS JOIN links AS l ON l.entity_id = n.id AND l.kind = kinds.kind AND l.item_id IN (
    SELECT i.item_id FROM links AS i
    WHERE i.entity_id = n.id AND i.kind = kinds.kind
      AND (:known_at IS NULL OR i.recorded_at <= :known_at)
      AND {{item_shown}}
    ORDER BY i.recorded_at DESC, i.item_id
    LIMIT :size)
WHERE n.scope_id IN ({{scope}})
ORDER BY l.recorded_at DESC, l.item_id, l.entity_id;

-- links_of_items: which entities these items mention, as the view's record time knows.
SELECT i.entity_id, i.kind, i.item_id
FROM (SELECT 'fact' AS kind, value FROM {{list facts}}
      UNION SELECT 'episode', value FROM {{list episodes}}) AS wanted
CROSS JOIN links AS i ON i.item_id = wanted.value AND i.kind = wanted.kind
JOIN entities AS n ON n.id = i.entity_id
WHERE n.scope_id IN ({{scope}})
  AND (:known_at IS NULL OR i.recorded_at <= :known_at)
  AND CASE i.kind
    WHEN 'fact' THEN EXISTS (SELECT 1 FROM facts AS f WHERE f.id = i.item_id AND f.scope_id IN ({{scope}}))
    ELSE EXISTS (SELECT 1 FROM episodes AS e WHERE e.id = i.item_id AND e.scope_id IN ({{scope}})) END
ORDER BY i.item_id, i.entity_id;

-- decisions: by id, by fact or by operation, all that are given; oldest first.
SELECT t.* FROM decisions AS t
WHERE t.scope_id IN ({{scope}})
  AND t.id IN (
    SELECT value FROM {{list ids}} WHERE :by_ids
    UNION ALL SELECT decision_id FROM decision_facts WHERE NOT :by_ids AND fact_id = :fact_id
    UNION ALL SELECT id FROM decisions
    WHERE NOT :by_ids AND :fact_id IS NULL AND operation_id = :operation_id)
  AND (:fact_id IS NULL OR EXISTS (
    SELECT 1 FROM decision_facts AS d WHERE d.fact_id = :fact_id AND d.decision_id = t.id))
  AND (:operation_id IS NULL OR t.operation_id = :operation_id)
ORDER BY t.seq;

-- operation: one operation by id.
SELECT {{scoped}} FROM operations AS t JOIN scopes AS s ON s.id = t.scope_id
WHERE t.id = :id AND t.scope_id IN ({{scope}});

-- operation_by_key: the operation of the workspace that carries the key.
SELECT {{scoped}} FROM operations AS t JOIN scopes AS s ON s.id = t.scope_id
WHERE t.workspace = :workspace AND t.idempotency_key = :key;

-- operations: newest first, ties by id.
SELECT {{scoped}} FROM operations AS t JOIN scopes AS s ON s.id = t.scope_id
WHERE t.scope_id IN ({{scope}}) AND (:state IS NULL OR t.state = :state)
ORDER BY t.recorded_at DESC, t.id
LIMIT :size;

-- captured_operations: every scope's unfinished operations, oldest first.
SELECT {{scoped}} FROM operations AS t JOIN scopes AS s ON s.id = t.scope_id
WHERE t.state = 'captured'
ORDER BY t.recorded_at, t.id;

-- claim_operation: take an operation for an owner until the lease ends.
UPDATE operations SET owner = :owner, lease_until = :lease_until, attempts = attempts + 1 WHERE id = :id;
