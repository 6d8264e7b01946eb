"""A model that answers extraction with the statements that a dataset gives for a turn, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bench.model import Statement, Turn
from perdure.ports import Answer, Question
from perdure.prompts.replies import ExtractedFact, ExtractReply

_TURN = re.compile(r"^\[(\d+)\] \S+ [^(]*\(\w+\): (.*(?:\n\[\1\] \| .*)*)", re.MULTILINE)


class GivenModel:
    """Looks each shown turn up by its words; one whose words are unknown is an error, not an empty reply."""

    name = "given/statements"

    def __init__(self) -> None:
        self._statements: dict[str, tuple[Statement, ...]] = {}

    def learn(self, turns: Sequence[Turn]) -> None:
        """Remember what these turns state; of two turns with the same words both are remembered."""
        for turn in turns:
            key = _key(turn.text)
            known = self._statements.get(key, ())
            self._statements[key] = (*known, *(s for s in turn.statements if s not in known))

    async def ask(self, question: Question) -> Answer:
        if question.purpose != "extract":
            raise LookupError(f"given statements answer no question of purpose {question.purpose!r}")
        facts = [
            fact
            for label, text in _shown_turns(question.user)
            for fact in _facts(self._statements[_key(text)], label)
        ]
        return Answer(value=ExtractReply(facts=facts), model=self.name)

    async def close(self) -> None:
        """Nothing is held."""


def _shown_turns(prompt: str) -> list[tuple[int, str]]:
    data = prompt[prompt.index("<data>") : prompt.rindex("</data>")]
    return [(int(m[1]), re.sub(rf"\n\[{m[1]}\] \| ", "\n", m[2])) for m in _TURN.finditer(data)]


def _key(text: str) -> str:
    """The words of a text; fencing changes marks, not words."""
    return " ".join(re.findall(r"\w+", text))


def _facts(statements: Sequence[Statement], label: int) -> list[ExtractedFact]:
    return [
        ExtractedFact.model_validate(
            {
                "text": s.text,
                "subject": s.subject,
                "attribute": s.attribute,
                "value": s.value,
                "cardinality": s.cardinality,
                "kind": s.kind,
                "valid_from": s.valid_from,
                "valid_to": s.valid_to,
                "ended": s.ended,
                "turns": [label],
            }
        )
        for s in statements
    ]
