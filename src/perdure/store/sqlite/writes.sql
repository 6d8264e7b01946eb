-- current_fact: a fact's scope and open version.
SELECT f.scope_id, s.workspace, s.user_id, s.agent_id, s.app_id, s.run_id, k.number, k.unit_id, k.text
FROM facts AS f JOIN scopes AS s ON s.id = f.scope_id
JOIN versions AS k ON k.fact_id = f.id AND k.recorded_to IS NULL
WHERE f.id = :id;

-- current_episode: an episode's scope and index entry.
SELECT e.scope_id, s.workspace, s.user_id, s.agent_id, s.app_id, s.run_id, e.unit_id
FROM episodes AS e JOIN scopes AS s ON s.id = e.scope_id
WHERE e.id = :id;

-- add_unit: a new index entry.
INSERT INTO units (scope_id, kind, item_id, text, length, recorded_at)
VALUES (:scope_id, :kind, :item_id, :text, :length, :now);

-- unit_of_text: the entry that an item already has for this text.
SELECT id FROM units WHERE item_id = :item_id AND kind = 'fact' AND text = :text AND length = :length;

-- unit_of_body: the entry of an earlier version of the fact that said the same.
SELECT unit_id FROM versions WHERE fact_id = :fact_id AND text = :text ORDER BY number DESC LIMIT 1;

-- add_posting: a term of an entry and how often it stands there.
INSERT INTO postings (scope_id, term, unit_id, tf) VALUES (:scope_id, :term, :unit_id, :tf);

-- add_episode: a new episode.
INSERT INTO episodes (
    id, scope_id, unit_id, role, text, fingerprint, speaker, session, position, said_at,
    utc_offset_minutes, reference, operation_id, metadata, recorded_at)
VALUES (
    :id, :scope_id, :unit_id, :role, :text, :fingerprint, :speaker, :session, :position, :said_at,
    :utc_offset_minutes, :reference, :operation_id, :metadata, :now);

-- open_episode: visible from now on, unless it is.
INSERT OR IGNORE INTO episode_spans (episode_id, recorded_from) VALUES (:id, :now);

-- close_episode: hidden from now on.
UPDATE episode_spans SET recorded_to = :now WHERE episode_id = :id AND recorded_to IS NULL;

-- add_fact: a new fact.
INSERT INTO facts (id, scope_id, created_at) VALUES (:id, :scope_id, :now);

-- close_version: the open version ends now.
UPDATE versions SET recorded_to = :now WHERE fact_id = :fact_id AND recorded_to IS NULL;

-- add_version: a version open from now on.
INSERT INTO versions (
    fact_id, number, scope_id, unit_id, recorded_from, text, fingerprint, kind, subject, slot_subject,
    slot_attribute, slot_cardinality, value, valid_from, valid_to, precision, status, confidence, speaker,
    role, metadata, expires_on, immutable, raw_date, reason, replaced_by, disputes, decision_id)
VALUES (
    :fact_id, :number, :scope_id, :unit_id, :now, :text, :fingerprint, :kind, :subject, :slot_subject,
    :slot_attribute, :slot_cardinality, :value, :valid_from, :valid_to, :precision, :status, :confidence,
    :speaker, :role, :metadata, :expires_on, :immutable, :raw_date, :reason, :replaced_by, :disputes,
    :decision_id);

-- source: a source by id, the open row first.
SELECT * FROM sources WHERE id = :id ORDER BY recorded_to IS NOT NULL LIMIT 1;

-- open_source: the open row of a source.
SELECT * FROM sources WHERE id = :id AND recorded_to IS NULL;

-- add_source: a source open from now on.
INSERT INTO sources (
    id, fact_id, episode_id, text, valid_from, valid_to, precision, said_at, ends, span_start, span_end,
    decision_id, recorded_from)
VALUES (
    :id, :fact_id, :episode_id, :text, :valid_from, :valid_to, :precision, :said_at, :ends, :span_start,
    :span_end, :decision_id, :now);

-- close_source: it supports nothing from now on.
UPDATE sources SET recorded_to = :now WHERE id = :id AND recorded_to IS NULL;

-- add_entity: a new entity, unless its scope has one of this key.
INSERT INTO entities (id, scope_id, name, key, kind) VALUES (:id, :scope_id, :name, :key, :kind)
ON CONFLICT (scope_id, key) DO NOTHING;

-- entity_id: the entity of this key in exactly this scope.
SELECT id FROM entities WHERE scope_id = :scope_id AND key = :key;

-- add_link: an item mentions an entity; once is enough.
INSERT OR IGNORE INTO links (entity_id, kind, item_id, recorded_at)
VALUES (:entity_id, :kind, :item_id, :now);

-- add_relation: a fact states an edge; once is enough.
INSERT OR IGNORE INTO relations (fact_id, source_id, label, target_id, recorded_at)
VALUES (:fact_id, :source_id, :label, :target_id, :now);

-- add_decision: journal a decision.
INSERT INTO decisions (
    id, scope_id, operation_id, action, layer, fact_id, target_id, reason, draft_text, evidence, before,
    sources_added, recorded_at, undone_by)
VALUES (
    :id, :scope_id, :operation_id, :action, :layer, :fact_id, :target_id, :reason, :draft_text, :evidence,
    :before, :sources_added, :now, :undone_by);

-- add_decision_fact: a fact the decision touches.
INSERT INTO decision_facts (fact_id, decision_id) VALUES (:fact_id, :decision_id);

-- add_journal: what followers of the store read.
INSERT INTO journal (scope_id, decision_id, action, fact_id, recorded_at)
VALUES (:scope_id, :id, :action, :fact_id, :now);

-- decision_state: whether a decision in scope is undone.
SELECT fact_id, undone_by FROM decisions WHERE id = :id AND scope_id IN ({{scope}});

-- mark_undone: the decision was undone by another.
UPDATE decisions SET undone_by = :by WHERE id = :id;

-- add_operation: a new operation.
INSERT INTO operations (
    id, scope_id, workspace, kind, state, request, idempotency_key, request_hash, attempts, error, result,
    owner, lease_until, recorded_at)
VALUES (
    :id, :scope_id, :workspace, :kind, :state, :request, :idempotency_key, :request_hash, :attempts, :error,
    :result, :owner, :lease_until, :now);

-- set_operation: move an operation in scope to a state; its lease ends. What is done stays done.
UPDATE operations SET
    state = CASE WHEN state = 'done' THEN state ELSE :state END,
    result = CASE WHEN state = 'done' AND :state <> 'done' THEN result ELSE :result END,
    error = CASE WHEN state = 'done' AND :state <> 'done' THEN error ELSE :error END,
    owner = NULL,
    lease_until = NULL
WHERE id = :id AND scope_id IN ({{scope}});
