-- The newest items of an entity, without reading all of them.
CREATE INDEX links_newest ON links (entity_id, kind, recorded_at DESC, item_id);
