# SPDX-License-Identifier: Apache-2.0
"""What a row came to, and whether that is enough."""
from dataclasses import dataclass, field

MET_AT = 0.9  # of the limit: a ratio cannot become much better then, whatever the rival does


@dataclass
class Value:
    """Of one case of a row. value None: nothing to conclude from."""
    value: float | None = None
    samples: str = "0"
    failed: bool = False
    low: float | None = None  # the 95 % interval
    high: float | None = None
    pairs: int = 0
    case: str = ""


@dataclass
class Verdict:
    value: Value
    status: str  # ok, short, unseen
    why: str = "-"  # an ok that the value alone is not
    below: list = field(default_factory=list)  # the cases whose value is short of the bar, whatever the status

    def cases(self):
        """Those that miss the bar."""
        return [v.case for v in self.below if v.case]

    def number(self):
        return "failed" if self.value.failed else "-" if self.value.value is None else f"{self.value.value:.3g}"

    def text(self):
        if not self.below or (len(self.below) == 1 and self.below[0] is self.value):
            return self.value.samples
        names = ", ".join(f"{v.case} {v.value:.2f}" for v in self.below)
        return f"{self.value.samples}; below the bar: {names}"


@dataclass
class Row:
    """A bar. `measure(samples)` gives a Value, or one for each case that must reach `must`; so does `limit`, which says what fraction
    of the limit ours has reached."""
    name: str
    measure: object
    must: float | None = None  # None: reported beside others, no bar
    aim: float | None = None
    at_least: bool = True
    campaign: str | tuple | None = None  # whose samples it reads: one campaign, or several
    limit: object = None
    limit_must: float | None = None
    limit_row: bool = True  # the fraction gets a line of its own, unless another row has the same
    tightest: object = None  # as `limit`, where there are more limits than those of `limit_must`: told without a bar

    def campaign_names(self):
        return () if self.campaign is None else (self.campaign,) if isinstance(self.campaign, str) else self.campaign

    def target(self):
        if self.must is None:
            return "-"
        text = f"{'>=' if self.at_least else '<='} {self.must:g}"
        return text if self.aim is None else f"{text} (aim {self.aim:g})"

    def of_limits(self):
        """The rows of the fractions."""
        rows = [Row(f"{self.name}.of-limit", self.limit, self.limit_must, campaign=self.campaign)] if self.limit and self.limit_row else []
        return rows + ([Row(f"{self.name}.of-any-limit", self.tightest, campaign=self.campaign)] if self.tightest and self.limit_row else [])

    def reaches(self, number):
        return number >= self.must if self.at_least else number <= self.must

    def judged(self, v, fraction):
        """(status, why) of one case."""
        if v.failed:
            return "short", "-"
        if v.value is None:
            return "unseen", "-"
        if self.must is None or self.reaches(v.value):
            return "ok", "-"
        end = v.high if self.at_least else v.low
        if end is not None and self.reaches(end):
            return "ok", "within the interval"
        if fraction is not None and fraction.value is not None and fraction.value >= MET_AT:
            return "ok", f"at {fraction.value:.2f} of the limit"
        return "short", "-"

    def verdict(self, samples):
        """The worst case decides: one that is short, then one that is only met for a reason, then the least."""
        limit = self.tightest or self.limit
        fractions = {f.case: f for f in _listed(limit(samples))} if limit else {}
        told = [(v, *self.judged(v, fractions.get(v.case))) for v in _listed(self.measure(samples))]
        seen = [t for t in told if t[1] != "unseen"]
        if not seen:
            return Verdict(Value(), "unseen")
        value, status, why = min(seen, key=lambda t: (t[1] != "short", t[2] == "-", self._order(t[0])))
        below = [v for v, _, _ in seen if self.must is not None and not v.failed and not self.reaches(v.value)]
        return Verdict(value, status, why, sorted(below, key=self._order))

    def _order(self, v):
        return v.value or 0 if self.at_least else -(v.value or 0)

    def status(self, v):
        """Of one value, without a limit."""
        return self.judged(v, None)[0]


def _listed(found):
    return found if isinstance(found, list) else [found]


def table_of(rows):
    """The rows, each followed by those of its fractions."""
    return [line for r in rows for line in (r, *r.of_limits())]
