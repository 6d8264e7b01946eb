"""Chinese: no blanks and no capitals, so values end where a mark or a particle stands."""

from __future__ import annotations

import re

from perdure.core.values import Cardinality
from perdure.write.lexicon.shape import Form, Language, SlotPattern

_VALUE = r"(?P<v>[^\s，。！？,.!?了的吗呢]{1,20}?)(?=了|[，。！,.!\s]|$)"


def _slot(
    attribute: str,
    pattern: str,
    says: str,
    form: Form = "holds",
    *,
    value: str | None = None,
    relation: str | None = None,
    many: bool = False,
) -> SlotPattern:
    return SlotPattern(
        attribute=attribute,
        pattern=re.compile(pattern),
        shape="exact",
        says=says,
        form=form,
        value=value,
        relation=relation,
        cardinality=Cardinality.MULTI if many else Cardinality.SINGLE,
        confidence=0.85,
    )


CHINESE = Language(
    code="zh",
    cues=frozenset(),
    first_person=re.compile("我|咱"),
    owned=re.compile(r"我的?(爸爸|妈妈|哥哥|弟弟|姐姐|妹妹|儿子|女儿|妻子|丈夫|朋友|同事)"),
    question=re.compile("你|请|什么|怎么|为什么|谁|哪"),
    unsure=re.compile("不|没|别|如果|要是|想|打算|可能|也许|希望|差点|他说|她说|说我"),
    over=re.compile("不再|已经不|不住|不在.*了"),
    conditional=re.compile("如果|要是|假如"),
    past=re.compile("了|过"),
    slots=(
        _slot("name", rf"我(?:叫|的名字是|的名字叫){_VALUE}", "我叫{v}"),
        _slot("home_city", rf"我(?:现在|目前)?(?:住|生活)在{_VALUE}", "我住在{v}", relation="lives in"),
        _slot(
            "home_city",
            rf"我(?:刚|已经|上个月|上周|去年|今年|昨天)*(?:搬到|搬去){_VALUE}",
            "我搬到{v}",
            "begins",
            relation="lives in",
        ),
        _slot(
            "employer",
            r"我(?:现在|目前)?在(?P<v>[^\s，。！？,.!?]{1,20}?)(?:工作|上班)",
            "我在{v}工作",
            relation="works at",
        ),
        _slot("age", r"我(?:今年)?(?P<v>\d{1,3})岁", "我{v}岁"),
        _slot("allergy", r"我对(?P<v>[^\s，。！？,.!?]{1,12}?)过敏", "我对{v}过敏", many=True),
        _slot("hometown", rf"我(?:来自|是从){_VALUE}", "我来自{v}", "timeless", relation="from"),
        _slot("opinion_of:{}", rf"我(?:很|最|非常|特别)?喜欢{_VALUE}", "我喜欢{v}", value="like"),
        _slot("opinion_of:{}", rf"我(?:很|最|非常|特别)?爱{_VALUE}", "我爱{v}", value="love"),
        _slot("opinion_of:{}", rf"我(?:很|最|非常|特别)?(?:讨厌|恨){_VALUE}", "我讨厌{v}", value="hate"),
        _slot("opinion_of:{}", rf"我不喜欢{_VALUE}", "我不喜欢{v}", value="dislike"),
    ),
)
