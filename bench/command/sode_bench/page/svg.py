# SPDX-License-Identifier: Apache-2.0
"""Drawings as SVG text. Colours are classes, so that the page's style sheet can turn them dark."""
import math
from html import escape


class Drawing:
    """Collects elements; coordinates are the picture's own, it is scaled to the width that there is."""

    def __init__(self, width, height, label):
        self.width, self.height, self.label = width, height, label
        self.parts = []

    def line(self, x1, y1, x2, y2, kind):
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>')

    def rect(self, x, y, width, height, kind, tip=None, round_by=0):
        corner = f' rx="{round_by}"' if round_by else ""
        self._add(f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.2f}" height="{height:.1f}"{corner} class="{kind}"', "rect", tip)

    def dot(self, x, y, radius, kind, tip=None):
        self._add(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{kind}"', "circle", tip)

    def path(self, points, kind):
        self.parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}" class="{kind}"/>')

    def text(self, x, y, words, kind="", anchor="start"):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{kind}">{escape(str(words))}</text>')

    def _add(self, opening, name, tip):
        self.parts.append(f"{opening}><title>{escape(tip)}</title></{name}>" if tip else f"{opening}/>")

    def svg(self):
        return (f'<svg viewBox="0 0 {self.width} {self.height}" width="{self.width}" role="img" aria-label="{escape(self.label, True)}">'
                + "".join(self.parts) + "</svg>")


def text_width(words, size=12):
    """About, for a sans-serif font; rather too wide."""
    return len(str(words)) * size * 0.56


class Linear:
    def __init__(self, low, high, start, end):
        self.low, self.high, self.start, self.end = low, high if high > low else low + 1, start, end

    def __call__(self, value):
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, about=5):
        raw = (self.high - self.low) / about
        unit = 10 ** math.floor(math.log10(raw))
        step = min((m * unit for m in (1, 2, 2.5, 5, 10) if m * unit >= raw * 0.999), default=raw)
        first = math.ceil(self.low / step - 1e-9)
        return [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


class Log:
    """Both ends are moved outwards by a little, so that nothing sits on the frame."""

    def __init__(self, low, high, start, end):
        self.low, self.high = math.log(low) - 0.12, math.log(high) + 0.12
        self.start, self.end = start, end

    def __call__(self, value):
        return self.start + (math.log(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self):
        """1, 2 and 5 of each decade; only the decades themselves if those are many."""
        inside = [m * 10.0**e for e in range(-12, 13) for m in (1, 2, 5) if self.low <= math.log(m * 10.0**e) <= self.high]
        decades = [t for t in inside if abs(math.log10(t) - round(math.log10(t))) < 1e-9]
        return decades if len(inside) > 7 and len(decades) > 1 else inside
