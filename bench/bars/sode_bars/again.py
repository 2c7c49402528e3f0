# SPDX-License-Identifier: Apache-2.0
"""The rule of intervals. A row is short if its whole 95 % interval misses the bar, and then it is measured once more, with at least 30
interleaved pairs: identical code differs by more than many intervals are wide, by where its data happen to lie. Both results are told."""
from .campaign import ENOUGH, run_all
from .samples import Samples


class Again:
    """The second measurement of the rows that were short; `first` and `second` are verdicts by the row's name."""

    def __init__(self, rows, first, samples):
        short = [r for r in rows if r.campaign_names() and wants(first[r.name])]
        # What is about single cases is measured with these alone; a mean wants all of them.
        self.parts = [Part(chosen, first, samples) for chosen in ([r for r in short if first[r.name].cases()],
                                                                  [r for r in short if not first[r.name].cases()]) if chosen]
        self.first = first
        self.second = {}

    def measure(self, campaigns, minutes, log):
        for part in self.parts:
            if minutes > 0:
                self.second.update(part.measure(campaigns, minutes / len(self.parts), log))

    def verdict(self, name):
        return self.second.get(name, self.first[name])

    def text(self, name):
        """What the verdict stands on; both measurements of what was measured twice."""
        if name not in self.second:
            return self.first[name].text()
        first, second = self.first[name], self.second[name]
        return f"again: {second.text()}; first: {first.number()} {first.text()}"


class Part:
    """Rows that are measured together."""

    def __init__(self, rows, first, samples):
        self.rows = rows
        self.first = first
        self.samples = Samples(chosen_by=samples)

    def measure(self, campaigns, minutes, log):
        """{name: verdict}"""
        wanted = {name for r in self.rows for name in r.campaign_names()}
        run_all([self._narrowed(c) for name, c in campaigns.items() if name in wanted], self.samples, minutes, log)
        verdicts = {r.name: r.verdict(self.samples) for r in self.rows}
        return {name: v for name, v in verdicts.items() if v.status != "unseen"}

    def _narrowed(self, campaign):
        rows = [r for r in self.rows if campaign.name in r.campaign_names()]
        cases = sorted({case for r in rows for case in self.first[r.name].cases()})
        return campaign.again(cases, lambda samples: all(measured(r, samples) for r in rows))


def wants(verdict):
    """Short, by numbers, not because something failed."""
    return verdict.status == "short" and not verdict.value.failed


def measured(row, samples):
    verdict = row.verdict(samples)
    return verdict.status != "unseen" and verdict.value.pairs >= ENOUGH
