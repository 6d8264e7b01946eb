"""Plots as SVG text, for one self-contained page. The same figures always give the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bench.errors import SystemMissing
from bench.metrics.confidence import Reliability
from bench.metrics.stats import Difference, Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette, which most people with colour blindness can tell apart; ours stands out.
OURS = "#d55e00"
OTHERS = ("#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#999999", "#6a3d9a", "#444444")
STYLE = {
    "svg.fonttype": "none",
    "svg.hashsalt": "perdure",
    "font.family": "sans-serif",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
}


def colours(systems: Sequence[str]) -> dict[str, str]:
    """A colour a system: the default configuration of ours in its own, the rest in the order given."""
    rest = [s for s in systems if s != "perdure"]
    chosen = {name: OTHERS[n % len(OTHERS)] for n, name in enumerate(rest)}
    return chosen | {"perdure": OURS}


def curve_by_depth(series: Mapping[str, Sequence[tuple[int, float]]], *, title: str) -> str:
    """Percent by depth k, a line a system."""
    with _axes(title, width=4.6) as (figure, axes):
        by = colours(list(series))
        for name, points in series.items():
            width = 2.4 if name == "perdure" else 1.3
            axes.plot(*zip(*points, strict=True), marker="o", ms=3, lw=width, color=by[name], label=name)
        axes.set_xticks(sorted({k for points in series.values() for k, _ in points}))
        axes.set_xlabel("k")
        axes.set_ylabel("%")
        axes.set_ylim(0, 102)
        axes.legend(fontsize=8)
    return _svg(figure)


def bars_by_category(
    figures: Mapping[str, Mapping[str, Estimate]], *, title: str, factor: float = 100
) -> str:
    """A group of bars a category, a bar a system, with 95 % intervals."""
    categories = list(dict.fromkeys(c for by in figures.values() for c in by))
    with _axes(title, width=max(4.6, 1.1 + 0.9 * len(categories))) as (figure, axes):
        by_name, width = colours(list(figures)), 0.8 / len(figures)
        for n, (name, by) in enumerate(figures.items()):
            at = [c + (n - (len(figures) - 1) / 2) * width for c, k in enumerate(categories) if k in by]
            found = [by[k] for k in categories if k in by]
            low = [factor * (f.mean - f.low) for f in found]
            high = [factor * (f.high - f.mean) for f in found]
            axes.bar(
                at,
                [factor * f.mean for f in found],
                width,
                yerr=[low, high],
                color=by_name[name],
                label=name,
                error_kw={"lw": 0.8, "ecolor": "#333333"},
            )
        axes.set_xticks(range(len(categories)), [c.replace("_", "\n") for c in categories], fontsize=8)
        axes.set_ylabel("%" if factor == 100 else "")
        axes.legend(fontsize=8)
    return _svg(figure)


def reliability_curve(curves: Mapping[str, Reliability], *, title: str) -> str:
    """Share that is evidence by score; the diagonal is a score that means what it says."""
    with _axes(title, width=4.2) as (figure, axes):
        axes.plot([0, 1], [0, 1], color="#999999", lw=1, ls="--")
        by = colours(list(curves))
        for name, curve in curves.items():
            axes.plot([b.score for b in curve.bins], [b.right for b in curve.bins], color=by[name], lw=1.2)
            sizes = [8 + 60 * b.n / sum(x.n for x in curve.bins) for b in curve.bins]
            axes.scatter(
                [b.score for b in curve.bins],
                [b.right for b in curve.bins],
                s=sizes,
                color=by[name],
                label=f"{name} (error {curve.error:.3f})",
            )
        axes.set_xlabel("score of the first item")
        axes.set_ylabel("share that is evidence")
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        axes.legend(fontsize=8)
    return _svg(figure)


def by_tokens(points: Mapping[str, tuple[float, float]], *, title: str, what: str) -> str:
    """A measure against the tokens that a reader is given, a point a system."""
    with _axes(title, width=4.6) as (figure, axes):
        by = colours(list(points))
        for name, (tokens, share) in points.items():
            axes.scatter([tokens], [share], s=45, color=by[name], label=name)
        if max(t for t, _ in points.values()) > 20 * max(1.0, min(t for t, _ in points.values())):
            axes.set_xscale("log")
        axes.set_xlabel("tokens shown")
        axes.set_ylabel(f"{what}, %")
        axes.legend(fontsize=8)
    return _svg(figure)


def differences(found: Mapping[str, Difference], *, title: str) -> str:
    """Mean differences in percent with 95 % intervals, a row each; zero is no difference."""
    height = 0.7 + 0.28 * len(found)
    with _axes(title, width=5.2, height=height) as (figure, axes):
        names = list(found)[::-1]
        for n, name in enumerate(names):
            each = found[name]
            is_clear = each.low > 0 or each.high < 0
            low, high = 100 * (each.mean - each.low), 100 * (each.high - each.mean)
            axes.errorbar(
                100 * each.mean, n, xerr=[[low], [high]], fmt="o", ms=4, color=OURS if is_clear else "#999999"
            )
        axes.axvline(0, color="#333333", lw=0.8)
        axes.set_yticks(range(len(names)), names)
        axes.set_xlabel("percentage points")
    return _svg(figure)


def growth(series: Mapping[str, Sequence[tuple[int, float]]], *, title: str, unit: str) -> str:
    """A cost by the number of facts, both on logarithmic axes, a line each."""
    with _axes(title, width=4.6) as (figure, axes):
        by = colours(list(series))
        for name, points in series.items():
            axes.plot(*zip(*points, strict=True), marker="o", ms=3, lw=1.5, color=by[name], label=name)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("facts")
        axes.set_ylabel(unit)
        axes.legend(fontsize=8)
    return _svg(figure)


@contextmanager
def _axes(title: str, *, width: float, height: float = 3.0) -> Iterator[tuple[Figure, Axes]]:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as exc:
        raise SystemMissing("plots need matplotlib. Run `pip install '.[bench]'`.") from exc
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]  # matplotlib checks the keys
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots()
        axes.set_title(title, loc="left", fontsize=10)
        yield figure, axes


def _svg(figure: Figure) -> str:
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context(STYLE):  # type: ignore[arg-type]  # matplotlib checks the keys
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = out.getvalue()
    text = text[text.index("<svg") :]
    return re.sub(r'(<svg[^>]*?) width="[^"]*" height="[^"]*"', r"\1", text, count=1)
