-- fact_ids: every fact a read covers, oldest first.
SELECT id FROM facts WHERE scope_id IN ({{scope}}) ORDER BY created_at, id;

-- episode_ids_of_scope: every episode a read covers, in order.
SELECT id FROM episodes WHERE scope_id IN ({{scope}}) ORDER BY seq;

-- facts_to_erase: of these facts those in scope, and those left with no support but these episodes.
SELECT f.id FROM {{list facts}} AS wanted CROSS JOIN facts AS f ON f.id = wanted.value
WHERE f.scope_id IN ({{scope}})
UNION
SELECT src.fact_id FROM {{list episodes}} AS wanted CROSS JOIN sources AS src ON src.episode_id = wanted.value
WHERE NOT EXISTS (
    SELECT 1 FROM sources AS o
    WHERE o.fact_id = src.fact_id AND o.recorded_to IS NULL
      AND (o.episode_id IS NULL OR o.episode_id NOT IN {{list episodes}}));

-- episodes_to_erase: of these episodes those in scope.
SELECT e.id FROM {{list episodes}} AS wanted CROSS JOIN episodes AS e ON e.id = wanted.value
WHERE e.scope_id IN ({{scope}});

-- units_to_erase: the index entries of these items.
SELECT u.id FROM {{list facts}} AS wanted CROSS JOIN units AS u ON u.item_id = wanted.value AND u.kind = 'fact'
UNION ALL
SELECT u.id FROM {{list episodes}} AS wanted
CROSS JOIN units AS u ON u.item_id = wanted.value AND u.kind = 'episode';

-- sources_to_erase: what supports these facts or comes from these episodes.
SELECT src.seq AS id FROM {{list facts}} AS wanted CROSS JOIN sources AS src ON src.fact_id = wanted.value
UNION
SELECT src.seq FROM {{list episodes}} AS wanted CROSS JOIN sources AS src ON src.episode_id = wanted.value;

-- decisions_to_erase: whatever touches these facts.
SELECT DISTINCT d.decision_id AS id FROM {{list facts}} AS wanted
CROSS JOIN decision_facts AS d ON d.fact_id = wanted.value;

-- decisions_to_blank: decisions on other facts that hold words of the erased sources.
SELECT src.decision_id AS id FROM json_each(:sources) AS gone
CROSS JOIN sources AS src ON src.seq = gone.value
WHERE src.decision_id IN (SELECT id FROM decisions) AND src.decision_id NOT IN {{list decisions}}
UNION
SELECT d.id FROM json_each(:sources) AS gone
CROSS JOIN sources AS src ON src.seq = gone.value
JOIN decision_facts AS df ON df.fact_id = src.fact_id
JOIN decisions AS d ON d.id = df.decision_id
WHERE d.id NOT IN {{list decisions}}
  AND EXISTS (SELECT 1 FROM json_each(d.sources_added) AS a WHERE a.value = src.id);

-- operations_to_blank: operations that made or touched any of this.
SELECT operation_id AS id FROM episodes
WHERE id IN {{list episodes}} AND operation_id IS NOT NULL
UNION
SELECT operation_id FROM decisions
WHERE (id IN {{list decisions}} OR id IN {{list blanked}}) AND operation_id IS NOT NULL;

-- entities_to_try: what these items mention.
SELECT entity_id AS id FROM links
WHERE (kind = 'fact' AND item_id IN {{list facts}}) OR (kind = 'episode' AND item_id IN {{list episodes}})
UNION SELECT source_id FROM relations WHERE fact_id IN {{list facts}}
UNION SELECT target_id FROM relations WHERE fact_id IN {{list facts}};

-- erased_texts: every text that is about to go.
SELECT text FROM versions WHERE fact_id IN {{list facts}}
UNION SELECT value FROM versions WHERE fact_id IN {{list facts}} AND value IS NOT NULL
UNION SELECT raw_date FROM versions WHERE fact_id IN {{list facts}} AND raw_date IS NOT NULL
UNION SELECT text FROM episodes WHERE id IN {{list episodes}}
UNION SELECT text FROM sources WHERE seq IN (SELECT value FROM json_each(:sources))
UNION SELECT text FROM units WHERE id IN (SELECT value FROM json_each(:units))
UNION SELECT draft_text FROM decisions WHERE id IN {{list decisions}} OR id IN {{list blanked}}
UNION SELECT name FROM entities WHERE id IN {{list entities}};

-- forget_journal: the journal keeps that something happened, not to what.
UPDATE journal SET decision_id = NULL, fact_id = NULL
WHERE decision_id IN {{list decisions}} OR fact_id IN {{list facts}};

-- erase_decision_facts: what these decisions touched.
DELETE FROM decision_facts WHERE decision_id IN {{list decisions}};

-- erase_decisions: these decisions.
DELETE FROM decisions WHERE id IN {{list decisions}};

-- blank_decisions: the words of these decisions, and the sources that go.
UPDATE decisions SET draft_text = '', reason = 'erased', evidence = '{}', sources_added = (
    SELECT json_group_array(a.value) FROM json_each(decisions.sources_added) AS a
    WHERE a.value NOT IN (
        SELECT src.id FROM json_each(:sources) AS gone CROSS JOIN sources AS src ON src.seq = gone.value))
WHERE id IN {{list blanked}};

-- erase_relations: edges that these facts state.
DELETE FROM relations WHERE fact_id IN {{list facts}};

-- erase_links: mentions by these items.
DELETE FROM links
WHERE (kind = 'fact' AND item_id IN {{list facts}}) OR (kind = 'episode' AND item_id IN {{list episodes}});

-- erase_sources: these sources.
DELETE FROM sources WHERE seq IN (SELECT value FROM json_each(:sources));

-- erase_versions: every version of these facts.
DELETE FROM versions WHERE fact_id IN {{list facts}};

-- erase_episode_spans: when these episodes were visible.
DELETE FROM episode_spans WHERE episode_id IN {{list episodes}};

-- erase_episodes: these episodes.
DELETE FROM episodes WHERE id IN {{list episodes}};

-- erase_postings: the words of these entries.
DELETE FROM postings WHERE unit_id IN (SELECT value FROM json_each(:units));

-- erase_vectors: the vectors of these entries.
DELETE FROM vectors WHERE unit_id IN (SELECT value FROM json_each(:units));

-- erase_units: these entries.
DELETE FROM units WHERE id IN (SELECT value FROM json_each(:units));

-- erase_facts: these facts.
DELETE FROM facts WHERE id IN {{list facts}};

-- erase_entities: of these entities those that nothing mentions any more.
DELETE FROM entities
WHERE id IN {{list entities}}
  AND NOT EXISTS (SELECT 1 FROM links AS l WHERE l.entity_id = entities.id)
  AND NOT EXISTS (SELECT 1 FROM relations AS r WHERE r.source_id = entities.id OR r.target_id = entities.id);

-- unlink_replacements: no version points to an erased fact.
UPDATE versions SET replaced_by = NULL WHERE replaced_by IN {{list facts}};

-- unlink_decisions: no version points to an erased decision.
UPDATE versions SET decision_id = NULL WHERE decision_id IN {{list decisions}};

-- unlink_source_decisions: no source points to an erased decision.
UPDATE sources SET decision_id = NULL WHERE decision_id IN {{list decisions}};

-- unlink_disputes: no version disputes an erased fact.
UPDATE versions SET disputes = (
    SELECT json_group_array(d.value) FROM json_each(versions.disputes) AS d
    WHERE d.value NOT IN {{list facts}})
WHERE disputes <> '[]' AND scope_id IN ({{scope}})
  AND EXISTS (SELECT 1 FROM json_each(versions.disputes) AS d WHERE d.value IN {{list facts}});

-- blank_operations: kept answers go; what was not done yet goes on while it has episodes left.
UPDATE operations SET
    result = NULL,
    request = CASE WHEN state = 'captured' AND EXISTS (
        SELECT 1 FROM episodes AS e WHERE e.operation_id = operations.id) THEN request ELSE '{}' END,
    error = CASE WHEN state = 'captured' AND NOT EXISTS (
        SELECT 1 FROM episodes AS e WHERE e.operation_id = operations.id) THEN 'erased' ELSE NULL END,
    state = CASE WHEN state = 'captured' AND NOT EXISTS (
        SELECT 1 FROM episodes AS e WHERE e.operation_id = operations.id) THEN 'failed' ELSE state END
WHERE id IN {{list operations}};

-- part empty_scope: nothing of what was ever kept for the scope `t` is left.
t.id IN ({{scope}})
AND NOT EXISTS (SELECT 1 FROM facts AS x WHERE x.scope_id = t.id)
AND NOT EXISTS (SELECT 1 FROM episodes AS x WHERE x.scope_id = t.id)
AND NOT EXISTS (SELECT 1 FROM entities AS x WHERE x.scope_id = t.id)
AND NOT EXISTS (SELECT 1 FROM units AS x WHERE x.scope_id = t.id)
AND NOT EXISTS (SELECT 1 FROM decisions AS x WHERE x.scope_id = t.id)

-- forget_journal_of_empty_scopes: what happened for owners of whom nothing is left.
DELETE FROM journal WHERE scope_id IN (SELECT t.id FROM scopes AS t WHERE {{empty_scope}});

-- erase_operations_of_empty_scopes: with the keys that callers gave them.
DELETE FROM operations WHERE scope_id IN (SELECT t.id FROM scopes AS t WHERE {{empty_scope}});

-- erase_empty_scopes: the ids of owners of whom nothing is left.
DELETE FROM scopes WHERE id IN (SELECT t.id FROM scopes AS t WHERE {{empty_scope}});

-- stats: counts in a scope.
SELECT
    (SELECT count(*) FROM versions AS k WHERE k.scope_id IN ({{scope}}) AND k.recorded_to IS NULL
        AND k.status IN ('active', 'disputed', 'suspect')) AS facts,
    (SELECT count(*) FROM versions AS k WHERE k.scope_id IN ({{scope}}) AND k.recorded_to IS NULL
        AND k.status IN ('active', 'disputed', 'suspect') AND k.valid_to <= :now) AS closed,
    (SELECT count(*) FROM episodes AS e WHERE e.scope_id IN ({{scope}}) AND {{seen}}) AS episodes,
    (SELECT count(*) FROM entities WHERE scope_id IN ({{scope}})) AS entities,
    (SELECT count(*) FROM decisions WHERE scope_id IN ({{scope}})) AS decisions,
    (SELECT count(*) FROM units AS u WHERE u.scope_id IN ({{scope}}) AND NOT EXISTS (
        SELECT 1 FROM vectors AS v JOIN models AS m ON m.id = v.model_id AND m.is_active = 1
        WHERE v.unit_id = u.id)) AS waiting_vectors,
    (SELECT count(*) FROM operations WHERE scope_id IN ({{scope}}) AND state = 'captured') AS open_operations,
    (SELECT count(*) FROM operations WHERE scope_id IN ({{scope}}) AND state = 'failed') AS failed_operations,
    (SELECT max(number) FROM migrations) AS schema_version;

-- check_open_version: a fact has exactly one open version
SELECT f.id FROM facts AS f
WHERE (SELECT count(*) FROM versions AS k WHERE k.fact_id = f.id AND k.recorded_to IS NULL) <> 1
ORDER BY f.id;

-- check_contiguous: versions are numbered from 1 and each begins where the one before ended
SELECT DISTINCT id FROM (
    SELECT k.fact_id AS id, k.number, k.recorded_from,
        row_number() OVER w AS place, lag(k.recorded_to) OVER w AS before
    FROM versions AS k WINDOW w AS (PARTITION BY k.fact_id ORDER BY k.number))
WHERE number <> place OR (place > 1 AND before IS NOT recorded_from)
ORDER BY id;

-- check_intervals: no interval ends before it starts
SELECT fact_id AS id FROM versions WHERE recorded_to < recorded_from OR valid_to < valid_from
UNION SELECT id FROM sources WHERE recorded_to < recorded_from OR valid_to < valid_from
UNION SELECT episode_id FROM episode_spans WHERE recorded_to < recorded_from
ORDER BY id;

-- check_fact_scope: a version, its entry and its fact are of one scope
SELECT k.fact_id AS id FROM versions AS k
JOIN facts AS f ON f.id = k.fact_id JOIN units AS u ON u.id = k.unit_id
WHERE k.scope_id <> f.scope_id OR u.scope_id <> f.scope_id OR u.item_id <> f.id OR u.kind <> 'fact'
ORDER BY id;

-- check_episode_unit: an episode has an index entry of its own
SELECT e.id FROM episodes AS e LEFT JOIN units AS u ON u.id = e.unit_id
WHERE u.id IS NULL OR u.scope_id <> e.scope_id OR u.item_id <> e.id OR u.kind <> 'episode'
ORDER BY e.id;

-- check_unit_item: an index entry belongs to an item
SELECT u.id FROM units AS u
WHERE NOT EXISTS (SELECT 1 FROM versions AS k WHERE k.unit_id = u.id)
  AND NOT EXISTS (SELECT 1 FROM episodes AS e WHERE e.unit_id = u.id)
ORDER BY u.id;

-- check_postings: an index entry has as many words as its length says, in its own scope
SELECT u.id FROM units AS u
WHERE u.length <> (SELECT coalesce(sum(p.tf), 0) FROM postings AS p WHERE p.unit_id = u.id)
   OR EXISTS (SELECT 1 FROM postings AS p WHERE p.unit_id = u.id AND p.scope_id <> u.scope_id)
ORDER BY u.id;

-- check_vector_scope: a vector is filed under the scope of its entry
SELECT v.unit_id AS id FROM vectors AS v JOIN units AS u ON u.id = v.unit_id
WHERE v.scope_id <> u.scope_id ORDER BY id;

-- check_vector_length: a vector has four bytes for each dimension
SELECT v.unit_id AS id FROM vectors AS v JOIN models AS m ON m.id = v.model_id
WHERE length(v.vector) <> 4 * m.dimension ORDER BY id;

-- check_link_item: a link ends at a live item
SELECT l.item_id AS id FROM links AS l
WHERE (l.kind = 'fact' AND NOT EXISTS (SELECT 1 FROM facts AS f WHERE f.id = l.item_id))
   OR (l.kind = 'episode' AND NOT EXISTS (SELECT 1 FROM episodes AS e WHERE e.id = l.item_id))
ORDER BY id;

-- check_decision_facts: a decision names its own facts
SELECT d.id FROM decisions AS d
WHERE NOT EXISTS (SELECT 1 FROM decision_facts AS f WHERE f.decision_id = d.id AND f.fact_id = d.fact_id)
ORDER BY d.id;

-- check_replacements: what replaced a fact is a live fact
SELECT k.fact_id AS id FROM versions AS k
WHERE k.replaced_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM facts AS f WHERE f.id = k.replaced_by)
ORDER BY id;

-- check_record_time: nothing is recorded after the last record time
SELECT f.id FROM facts AS f
WHERE f.created_at > (SELECT value FROM meta WHERE name = 'last_recorded_at') ORDER BY f.id;

-- check_slots: current values of one single-valued slot do not overlap in valid time unless disputed
SELECT a.fact_id AS id FROM versions AS a
JOIN versions AS b ON b.scope_id = a.scope_id AND b.slot_subject = a.slot_subject
    AND b.slot_attribute = a.slot_attribute AND b.fact_id > a.fact_id
WHERE a.recorded_to IS NULL AND b.recorded_to IS NULL
  AND a.slot_attribute IS NOT NULL AND b.slot_attribute IS NOT NULL
  AND a.slot_cardinality = 'single' AND b.slot_cardinality = 'single'
  AND a.status IN ('active', 'suspect') AND b.status IN ('active', 'suspect')
  AND a.kind <> 'ending' AND b.kind <> 'ending'
  AND (a.valid_from IS NULL OR a.valid_to IS NULL OR a.valid_from < a.valid_to)
  AND (b.valid_from IS NULL OR b.valid_to IS NULL OR b.valid_from < b.valid_to)
  AND (a.valid_from IS NULL OR b.valid_to IS NULL OR a.valid_from < b.valid_to)
  AND (b.valid_from IS NULL OR a.valid_to IS NULL OR b.valid_from < a.valid_to)
ORDER BY id;

-- all_vectors: every vector, for a look at its numbers.
SELECT unit_id, vector FROM vectors ORDER BY seq;
