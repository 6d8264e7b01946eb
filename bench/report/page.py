"""Everything that was measured, on one page that needs nothing but itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from bench.metrics.measures import MEASURES
from bench.metrics.stats import Difference, Estimate
from bench.metrics.summary import ALL, Summary
from bench.report import plots
from bench.suites import headlines

DEPTHS = (1, 3, 5, 10, 20)
MANY = 14
STYLE = """
:root { color-scheme: light; --ink: #1c1c1c; --dim: #666; --line: #ddd; --mark: #d55e00; }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); margin: 0 auto; max-width: 1080px; padding: 2rem 1.2rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { margin: 2.6rem 0 .4rem; border-top: 2px solid var(--ink); padding-top: .6rem; }
p, li { max-width: 72ch; } .dim { color: var(--dim); font-size: 13px; }
nav a { margin-right: .9rem; } a { color: #0060a0; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; margin: .8rem 0; }
th, td { padding: .28rem .7rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { font-weight: 600; vertical-align: bottom; } th:first-child, td:first-child { text-align: left; }
td small { color: var(--dim); display: block; font-size: 11px; } tr.ours td:first-child { color: var(--mark); font-weight: 600; }
td.best { font-weight: 700; } .plots { display: flex; flex-wrap: wrap; gap: 1.2rem; } figure { margin: 0; flex: 1 1 400px; max-width: 640px; }
svg { width: 100%; height: auto; } code { background: #f3f3f3; padding: .05rem .3rem; border-radius: 3px; }
details { margin: .6rem 0; }
"""  # noqa: E501  # a style sheet


HEAD = f"""<!doctype html>
<html lang="en"><head><title>perdure: what was measured</title><meta charset="utf-8">
<meta content="initial-scale=1, width=device-width" name="viewport"><style>{STYLE}</style></head>
<body><h1>perdure: what was measured</h1>
"""
LEGEND = (
    "Small figures under a mean are its 95 % interval (bootstrap over questions). ↓: less is better. "
    "The best mean of a column is bold. Small figures under a search time are its 95th percentile."
)


def page(
    groups: Sequence[Sequence[Summary]],
    *,
    command: str,
    ablations: Mapping[str, Mapping[str, Difference]],
    extra: Sequence[tuple[str, str]] = (),
) -> str:
    """The page as HTML. groups: the summaries of each dataset. command: what makes the page.

    ablations: by `dataset, measure`, the difference of each configuration to the default one.
    extra: further sections, a title and HTML each.
    """
    names = [group[0].run.dataset for group in groups]
    links = "".join(f'<a href="#{escape(n)}">{escape(n)}</a>' for n in [*names, *(t for t, _ in extra)])
    sections = [_section(group) for group in groups]
    sections += [_ablation(title, found) for title, found in ablations.items()]
    sections += [f'<h2 id="{escape(title)}">{escape(title)}</h2>{html}' for title, html in extra]
    return f"{HEAD}<p>Made by <code>{escape(command)}</code> from result lines alone. {LEGEND}</p>" + (
        f"<nav>{links}</nav>{''.join(sections)}</body></html>\n"
    )


def _section(group: Sequence[Summary]) -> str:
    run = group[0].run
    about = (
        f"{len(run.questions)} questions, {escape(str(run.identity['split']))}; data "
        f"<code>{escape(str(run.identity['data_sha256'])[:12])}</code>, code "
        f"<code>{escape(str(run.identity['code']))}</code> at commit "
        f"<code>{escape(str(run.identity['commit']))}</code>"
    )
    notes = "".join(f"<li>{escape(n)}</li>" for n in dict.fromkeys(n for s in group for n in s.run.notes))
    limits = "".join(f"<li>{escape(limit)}</li>" for limit in dict.fromkeys(_limits(group)))
    return (
        f'<h2 id="{escape(run.dataset)}">{escape(run.dataset)}</h2><p class="dim">{about}</p>'
        f"{_table(group)}{_figures(group)}"
        f"<details><summary>Counting notes</summary><ul>{notes}{limits}</ul></details>"
    )


def _limits(group: Sequence[Summary]) -> Iterable[str]:
    for summary in group:
        limits = summary.run.identity["about"]
        told = limits.get("limits", []) if isinstance(limits, Mapping) else []
        for each in told if isinstance(told, list) else []:
            yield f"{summary.run.system}: {each}"


def _table(group: Sequence[Summary]) -> str:
    measures = [m for m in headlines(group[0].run.dataset) if any(s.figure(m) for s in group)]
    head = "".join(
        f'<th title="{escape(MEASURES[m].what)}">{escape(m)}{" ↓" if MEASURES[m].is_better_low else ""}</th>'
        for m in measures
    )
    best = {m: _best([s.figure(m) for s in group], m) for m in measures}
    rows = "".join(
        f'<tr class="{"ours" if s.run.system.startswith("perdure") else ""}"><td>{escape(s.run.system)}</td>'
        + "".join(_cell(s.figure(m), m, best[m]) for m in measures)
        + _speed_cells(s)
        + "</tr>"
        for s in group
    )
    return (
        f'<div class="scroll"><table><thead><tr><th>system</th>{head}<th>search ms<br>p50 / p95</th>'
        f"<th>fed<br>turns/s</th><th>abstains,<br>AUROC</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _best(figures: Sequence[Estimate | None], measure: str) -> float:
    means = [f.mean for f in figures if f is not None]
    return min(means) if MEASURES[measure].is_better_low else max(means)


def _cell(figure: Estimate | None, measure: str, best: float) -> str:
    if figure is None:
        return "<td>–</td>"
    factor, digits = (100, 1) if MEASURES[measure].is_share else (1, 0 if figure.mean >= 100 else 2)
    mean, low, high = (f"{x * factor:.{digits}f}" for x in (figure.mean, figure.low, figure.high))
    style = ' class="best"' if figure.mean == best else ""
    return f'<td{style} title="n={figure.n}">{mean}<small>{low}–{high}</small></td>'


def _speed_cells(summary: Summary) -> str:
    speed, kept = summary.speed, summary.abstention
    rate = "–" if speed.turns_per_s is None else f"{speed.turns_per_s:.0f}"
    auroc = "–" if kept is None else f"{kept.auroc:.2f}"
    search = f"{speed.search_p50_ms:.1f}<small>{speed.search_p95_ms:.1f}</small>"
    return f"<td>{search}</td><td>{rate}</td><td>{auroc}</td>"


def _figures(group: Sequence[Summary]) -> str:
    drawn = [*_depth_plots(group), *_category_plot(group), *_reliability_plot(group), *_token_plot(group)]
    return f'<div class="plots">{"".join(f"<figure>{svg}</figure>" for svg in drawn)}</div>'


def _depth_plots(group: Sequence[Summary]) -> Iterable[str]:
    for kind in ("turns all", "sessions all"):
        series = {
            s.run.system: [(k, 100 * f.mean) for k in DEPTHS if (f := s.figure(f"{kind}@{k}"))] for s in group
        }
        told = {name: points for name, points in series.items() if points}
        if any(share < 100 for points in told.values() for _, share in points):
            yield plots.curve_by_depth(told, title=f"{kind} evidence within the first k")


def _category_plot(group: Sequence[Summary]) -> Iterable[str]:
    measure = next(m for m in headlines(group[0].run.dataset) if any(s.figure(m) for s in group))
    found = {
        s.run.system: {c: f for c, f in s.figures.get(measure, {}).items() if c != ALL}
        for s in group
        if s.figure(measure)
    }
    categories = {c for by in found.values() for c in by}
    if 1 < len(categories) <= MANY:
        yield plots.bars_by_category(
            found, title=f"{measure} by category", factor=100 if MEASURES[measure].is_share else 1
        )


def _reliability_plot(group: Sequence[Summary]) -> Iterable[str]:
    curves = {s.run.system: s.reliability for s in group if s.reliability}
    if curves:
        yield plots.reliability_curve(curves, title="Does a score mean what it says?")


def _token_plot(group: Sequence[Summary]) -> Iterable[str]:
    measure = next(m for m in headlines(group[0].run.dataset) if any(s.figure(m) for s in group))
    points = {
        s.run.system: (tokens.mean, 100 * figure.mean)
        for s in group
        if (tokens := s.figure("tokens@10")) and (figure := s.figure(measure))
    }
    if len(points) > 1 and MEASURES[measure].is_share:
        yield plots.by_tokens(points, title=f"{measure} by tokens shown", what=measure)


def _ablation(title: str, found: Mapping[str, Difference]) -> str:
    svg = plots.differences(found, title=f"{title}: what is lost or won without each part")
    return f'<h2 id="{escape(title)}">{escape(title)}: ablation</h2><figure>{svg}</figure>'
