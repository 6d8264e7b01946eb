-- Times are microseconds since 1970 in UTC; NULL is minus or plus infinity. Days are ISO text.
-- Texts compare byte by byte (BINARY, the default).

CREATE TABLE migrations (
    number INTEGER PRIMARY KEY,
    name   TEXT NOT NULL,
    sha256 TEXT NOT NULL
) STRICT;

-- last_recorded_at; generation: grows when cached vectors must be thrown away;
-- scrub_due: 1 from an erase until the file was rewritten.
CREATE TABLE meta (
    name  TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (name, value) VALUES ('last_recorded_at', 0), ('generation', 0), ('scrub_due', 0);

CREATE TABLE scopes (
    id        INTEGER PRIMARY KEY,
    workspace TEXT NOT NULL,
    user_id   TEXT,
    agent_id  TEXT,
    app_id    TEXT,
    run_id    TEXT,
    key       TEXT NOT NULL UNIQUE
) STRICT;
CREATE INDEX scopes_by_user ON scopes (workspace, user_id);

CREATE TABLE applied (
    workspace   TEXT NOT NULL,
    key         TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (workspace, key)
) STRICT, WITHOUT ROWID;

-- What the signals see of a fact's text or of an episode. length: tokens, repeats included.
CREATE TABLE units (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id    INTEGER NOT NULL REFERENCES scopes (id),
    kind        TEXT NOT NULL CHECK (kind IN ('fact', 'episode')),
    item_id     TEXT NOT NULL,
    text        TEXT NOT NULL,
    length      INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX units_by_item ON units (item_id, kind);
CREATE INDEX units_by_scope ON units (scope_id, recorded_at, length);

CREATE TABLE postings (
    scope_id INTEGER NOT NULL,
    term     TEXT NOT NULL,
    unit_id  INTEGER NOT NULL REFERENCES units (id),
    tf       INTEGER NOT NULL,
    PRIMARY KEY (scope_id, term, unit_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_by_unit ON postings (unit_id, tf);

CREATE TABLE models (
    id            INTEGER PRIMARY KEY,
    name          TEXT NOT NULL,
    dimension     INTEGER NOT NULL CHECK (dimension > 0),
    is_normalised INTEGER NOT NULL,
    is_active     INTEGER NOT NULL DEFAULT 0,
    UNIQUE (name, dimension, is_normalised)
) STRICT;
CREATE UNIQUE INDEX models_active ON models (is_active) WHERE is_active = 1;

-- vector: little-endian float32, 4 * dimension bytes. seq only grows, so that caches can ask for what is new.
CREATE TABLE vectors (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    unit_id     INTEGER NOT NULL REFERENCES units (id),
    model_id    INTEGER NOT NULL REFERENCES models (id),
    scope_id    INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    vector      BLOB NOT NULL,
    UNIQUE (unit_id, model_id)
) STRICT;
CREATE INDEX vectors_by_scope ON vectors (model_id, scope_id, seq);

CREATE TABLE facts (
    id         TEXT PRIMARY KEY,
    scope_id   INTEGER NOT NULL REFERENCES scopes (id),
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX facts_by_creation ON facts (scope_id, created_at DESC, id);

CREATE TABLE versions (
    fact_id          TEXT NOT NULL REFERENCES facts (id),
    number           INTEGER NOT NULL,
    scope_id         INTEGER NOT NULL,
    unit_id          INTEGER NOT NULL REFERENCES units (id),
    recorded_from    INTEGER NOT NULL,
    recorded_to      INTEGER,
    text             TEXT NOT NULL,
    fingerprint      TEXT NOT NULL,
    kind             TEXT NOT NULL,
    subject          TEXT,
    slot_subject     TEXT,
    slot_attribute   TEXT,
    slot_cardinality TEXT,
    value            TEXT,
    valid_from       INTEGER,
    valid_to         INTEGER,
    precision        TEXT NOT NULL,
    status           TEXT NOT NULL,
    confidence       REAL NOT NULL,
    speaker          TEXT,
    role             TEXT NOT NULL,
    metadata         TEXT NOT NULL,
    expires_on       TEXT,
    immutable        INTEGER NOT NULL,
    raw_date         TEXT,
    reason           TEXT,
    replaced_by      TEXT,
    disputes         TEXT NOT NULL,
    decision_id      TEXT,
    UNIQUE (fact_id, number)
) STRICT;
CREATE UNIQUE INDEX versions_open ON versions (fact_id) WHERE recorded_to IS NULL;
CREATE INDEX versions_by_slot ON versions (scope_id, slot_subject, slot_attribute)
    WHERE recorded_to IS NULL AND slot_attribute IS NOT NULL;
CREATE INDEX versions_by_fingerprint ON versions (scope_id, fingerprint) WHERE recorded_to IS NULL;
CREATE INDEX versions_by_unit ON versions (unit_id);
CREATE INDEX versions_by_start ON versions (scope_id, valid_from) WHERE valid_from IS NOT NULL;
CREATE INDEX versions_by_decision ON versions (decision_id) WHERE decision_id IS NOT NULL;
CREATE INDEX versions_by_replacement ON versions (replaced_by) WHERE replaced_by IS NOT NULL;

CREATE TABLE episodes (
    seq                INTEGER PRIMARY KEY AUTOINCREMENT,
    id                 TEXT NOT NULL UNIQUE,
    scope_id           INTEGER NOT NULL REFERENCES scopes (id),
    unit_id            INTEGER NOT NULL REFERENCES units (id),
    role               TEXT NOT NULL,
    text               TEXT NOT NULL,
    fingerprint        TEXT NOT NULL,
    speaker            TEXT,
    session            TEXT,
    position           INTEGER NOT NULL,
    said_at            INTEGER,
    utc_offset_minutes INTEGER NOT NULL,
    reference          TEXT,
    operation_id       TEXT,
    metadata           TEXT NOT NULL,
    recorded_at        INTEGER NOT NULL
) STRICT;
CREATE INDEX episodes_by_scope ON episodes (scope_id, seq);
CREATE INDEX episodes_by_fingerprint ON episodes (scope_id, fingerprint);
CREATE INDEX episodes_by_operation ON episodes (operation_id);
CREATE INDEX episodes_by_unit ON episodes (unit_id);

-- When an episode was visible, on the record clock.
CREATE TABLE episode_spans (
    episode_id    TEXT NOT NULL REFERENCES episodes (id),
    recorded_from INTEGER NOT NULL,
    recorded_to   INTEGER
) STRICT;
CREATE INDEX episode_spans_by_episode ON episode_spans (episode_id, recorded_from);
CREATE UNIQUE INDEX episode_spans_open ON episode_spans (episode_id) WHERE recorded_to IS NULL;

CREATE TABLE sources (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT,
    id            TEXT NOT NULL,
    fact_id       TEXT NOT NULL REFERENCES facts (id),
    episode_id    TEXT REFERENCES episodes (id),
    text          TEXT NOT NULL,
    valid_from    INTEGER,
    valid_to      INTEGER,
    precision     TEXT NOT NULL,
    said_at       INTEGER,
    ends          INTEGER NOT NULL,
    span_start    INTEGER,
    span_end      INTEGER,
    decision_id   TEXT,
    recorded_from INTEGER NOT NULL,
    recorded_to   INTEGER
) STRICT;
CREATE UNIQUE INDEX sources_open ON sources (id) WHERE recorded_to IS NULL;
CREATE INDEX sources_by_id ON sources (id);
CREATE INDEX sources_by_fact ON sources (fact_id);
CREATE INDEX sources_by_episode ON sources (episode_id) WHERE episode_id IS NOT NULL;
CREATE INDEX sources_by_decision ON sources (decision_id) WHERE decision_id IS NOT NULL;

CREATE TABLE entities (
    id       TEXT PRIMARY KEY,
    scope_id INTEGER NOT NULL REFERENCES scopes (id),
    name     TEXT NOT NULL,
    key      TEXT NOT NULL,
    kind     TEXT NOT NULL,
    UNIQUE (scope_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX entities_by_key ON entities (key);

CREATE TABLE links (
    entity_id   TEXT NOT NULL REFERENCES entities (id),
    kind        TEXT NOT NULL CHECK (kind IN ('fact', 'episode')),
    item_id     TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (entity_id, kind, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_item ON links (item_id, kind);

CREATE TABLE relations (
    fact_id     TEXT NOT NULL REFERENCES facts (id),
    source_id   TEXT NOT NULL REFERENCES entities (id),
    label       TEXT NOT NULL,
    target_id   TEXT NOT NULL REFERENCES entities (id),
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (fact_id, source_id, label, target_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX relations_by_source ON relations (source_id);
CREATE INDEX relations_by_target ON relations (target_id);

CREATE TABLE decisions (
    seq           INTEGER PRIMARY KEY AUTOINCREMENT,
    id            TEXT NOT NULL UNIQUE,
    scope_id      INTEGER NOT NULL REFERENCES scopes (id),
    operation_id  TEXT,
    action        TEXT NOT NULL,
    layer         TEXT NOT NULL,
    fact_id       TEXT NOT NULL,
    target_id     TEXT,
    reason        TEXT NOT NULL,
    draft_text    TEXT NOT NULL,
    evidence      TEXT NOT NULL,
    before        TEXT NOT NULL,
    sources_added TEXT NOT NULL,
    recorded_at   INTEGER NOT NULL,
    undone_by     TEXT
) STRICT;
CREATE INDEX decisions_by_operation ON decisions (operation_id);

-- Every fact a decision touches: its fact, its target and those it changed.
CREATE TABLE decision_facts (
    fact_id     TEXT NOT NULL REFERENCES facts (id) DEFERRABLE INITIALLY DEFERRED,
    decision_id TEXT NOT NULL REFERENCES decisions (id),
    PRIMARY KEY (fact_id, decision_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX decision_facts_by_decision ON decision_facts (decision_id);

-- What happened, in the order of commits; read by whoever follows the store with a cursor.
CREATE TABLE journal (
    seq         INTEGER PRIMARY KEY AUTOINCREMENT,
    scope_id    INTEGER NOT NULL REFERENCES scopes (id),
    decision_id TEXT,
    action      TEXT NOT NULL,
    fact_id     TEXT,
    recorded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX journal_by_decision ON journal (decision_id);

CREATE TABLE operations (
    id              TEXT PRIMARY KEY,
    scope_id        INTEGER NOT NULL REFERENCES scopes (id),
    workspace       TEXT NOT NULL,
    kind            TEXT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('captured', 'done', 'failed')),
    request         TEXT NOT NULL,
    idempotency_key TEXT,
    request_hash    TEXT,
    attempts        INTEGER NOT NULL,
    error           TEXT,
    result          TEXT,
    owner           TEXT,
    lease_until     INTEGER,
    recorded_at     INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX operations_by_key ON operations (workspace, idempotency_key)
    WHERE idempotency_key IS NOT NULL;
CREATE INDEX operations_by_scope ON operations (scope_id, recorded_at);
CREATE INDEX operations_captured ON operations (recorded_at) WHERE state = 'captured';
