"""Replies as models write them, with what must come of each. One table for every transport."""

from __future__ import annotations

OBOE = "Plays the oboe"

THOUGHTS = {
    "draft in a closed block": (
        '<think>Maybe {"facts": ["DRAFT-91 keeps goats"]} or [1, {x}] ... </think>\n'
        '```json\n{"facts": ["Plays the oboe"]}\n```\nHope this helps!'
    ),
    "draft before a closing mark that never opened": (
        '{"facts": ["DRAFT-91 keeps goats"]} no, wait </think> {"facts": ["Plays the oboe"]}'
    ),
    "draft in a channel": (
        '<|channel|>analysis<|message|>{"facts": ["DRAFT-91"]}<|end|><|start|>assistant'
        '<|channel|>final<|message|>{"facts": ["Plays the oboe"]}<|return|>'
    ),
    "other thinking words": '<Thinking>[{"text": "DRAFT-91"}]</Thinking>{"facts": ["Plays the oboe"]}',
    "mistral's marks": '[THINK]{"facts": ["DRAFT-91"]}[/THINK]{"facts": ["Plays the oboe"]}',
    "draft and answer in prose": 'First {"facts": ["DRAFT-91"]}, but better: {"facts": ["Plays the oboe"]}',
    "two closing marks": (
        '{"facts": ["DRAFT-91"]}</think> hm {"facts": ["DRAFT-92"]}</think>["Plays the oboe"]'
    ),
    "special tokens": '<s><|im_start|>{"facts": ["Plays the oboe"]}<|im_end|></s>',
}

SHAPES = {
    "bare list, other key": '[{"entity_name": "Plays the oboe"}]',
    "bare list of texts": '["Plays the oboe"]',
    "text for list": '{"facts": "Plays the oboe"}',
    "as asked": '{"facts": [{"text": "Plays the oboe"}]}',
    "single object for list": '{"facts": {"text": "Plays the oboe"}}',
    "object of texts for list": '{"facts": {"1": "Plays the oboe"}}',
    "single object for all": '{"text": "Plays the oboe"}',
    "key in another case": '{"Facts": [{"Text": "Plays the oboe"}]}',
    "another key": '{"memories": [{"memory": "Plays the oboe"}]}',
    "wrapper": '{"result": {"facts": ["Plays the oboe"]}}',
    "tool call with text arguments": '{"name": "save", "arguments": "{\\"facts\\": [\\"Plays the oboe\\"]}"}',
    "schema with the answer": (
        '{"type": "object", "properties": {"facts": ["Plays the oboe"]}, "required": ["facts"]}'
    ),
    "fence with text around": 'Sure!\n```JSON\n{"facts": ["Plays the oboe"]}\n```\nAnything else {x}?',
    "fence that never closes": '```json\n{"facts": ["Plays the oboe"]}',
    "trailing commas": '{"facts": [{"text": "Plays the oboe",},],}',
    "single quotes": "{'facts': ['Plays the oboe']}",
    "curly quotes": "{“facts”: [“Plays the oboe”]}",
    "unquoted keys": '{facts: [{text: "Plays the oboe"}]}',
    "byte order mark": '\ufeff{"facts": ["Plays the oboe"]}',
    "two objects": '{"facts": ["Plays the oboe"]}\n{"facts": ["Plays the oboe"]}',
    "one member a line": '{"text": "Plays the oboe"}\n{"text": "Plays the oboe"}',
    "missing closing bracket": '{"facts": ["Plays the oboe"]',
    "brackets in prose before": 'Note [see above] and [1, {x}]: {"facts": ["Plays the oboe"]}',
    "list in prose after": '{"facts": ["Plays the oboe"]} (from ["turn 1"])',
    "wrong types in optional fields": (
        '{"facts": [{"text": "Plays the oboe", "confidence": "high", "turns": "2", "kind": 7,'
        ' "entities": "Ana", "relations": [1], "ended": "no", "valid_from": {}}]}'
    ),
}

UNREADABLE = {
    "prose": "There is nothing I can do.",
    "empty object": "{}",
    "placeholder": '{"facts": [...]}',
    "schema without an answer": '{"properties": {"facts": {"type": "array", "items": {"type": "object"}}}}',
    "only junk members": '{"facts": [null, 7, ""]}',
    "list under an unknown key": '{"thoughts": ["I should look for facts"]}',
    "only thought": '<think>{"facts": ["DRAFT-91"]} hmm',
    "only an analysis channel": '<|channel|>analysis<|message|>{"facts": ["DRAFT-91"]}',
    "nested without end": "[" * 5000,
    "nothing complete": '{"facts": [{"text": "DRAFT-91", "turns": [1], "val',
}
