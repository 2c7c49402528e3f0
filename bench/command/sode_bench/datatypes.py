# SPDX-License-Identifier: Apache-2.0
"""`sode bench datatypes`: messages as applications send them; plain MPI's datatypes, packing by hand, and the same datatypes under Sode."""
import re
import time
from dataclasses import dataclass

from sode_bars.messages import FIRST, KEPT, LIMITS, OURS, PROGRAM, family, has_only_bytes, is_application, is_pattern

from . import layers
from .jobs import Job, JobFailed

MOST_FAILURES = 4  # of one contender; then it is not started again
OUR_SETUPS = ("vader", "ucx", "mpich")
QUICK = ("wrf_x_vec_61440", "wrf_y_vec_92160", "milc_su3_zd_98304", "nas_mg_x_32768", "nas_mg_y_1048576", "nas_mg_z_65536", "nas_lu_y_4080",
         "nas_lu_y_40800", "specfem_oc_12900", "specfem_cm_106248", "specfem_mt_91200", "lammps_full_106368", "lammps_atomic_5472",
         "fft2d_524288", "contiguous_8")
CASE_S = 12  # no case takes all the time of a pass


@dataclass
class Contender:
    """A job, how it is started, and how it names what it does. It is gone where it failed, until the next case."""
    start: object  # () -> Job
    setup: str
    ours: bool
    limits: bool = False
    job: Job | None = None
    failures: int = 0

    def methods(self, case):
        if has_only_bytes(case):
            return ["bytes"]
        if not self.ours:
            return ["datatypes", "packing"]
        return ["datatypes", *LIMITS] if self.limits and is_pattern(case) else ["datatypes"]

    def name(self, method):
        return f"{OURS}{self.setup}" if self.ours and method not in LIMITS else method


def start(machine, setups, layer, words, limits, document):
    """A job for every set-up, and one more for those that ours runs in, which measure the limits too if asked. What does not start is
    told in the document."""
    contenders = []

    def add(setup, before, ours):
        command = machine.mpi_command(setup, 2, "bench_datatypes", before=before)
        c = Contender(lambda: Job(command, setup.environment), setup.name, ours, limits)
        try:
            c.job = c.start()
            contenders.append(c)
        except JobFailed as e:
            document["skipped"].append({"setup": setup.name, "what": "under Sode" if ours else "datatypes", "why": str(e)})

    try:
        for setup in setups:
            add(setup, (), False)
            if setup.name not in OUR_SETUPS or layer == "none":
                continue
            found = layers.prefix(machine, setup.mpi, layer, words)
            if not found:
                document["skipped"].append({"setup": setup.name, "what": "under Sode",
                                            "why": f"there is no libsode-interpose-{setup.mpi}.so in {machine.layers}"})
            else:
                document["layer"] = {"way": found[0], "words": " ".join(found[1])}
                add(setup, found[1], True)
    except BaseException:
        end(contenders)
        raise
    return contenders


def end(contenders):
    for c in contenders:
        if c.job:
            c.job.end()


class Campaign:
    """All contenders, case after case."""

    def __init__(self, contenders, document):
        self.contenders = contenders
        self.document = document
        self.machine = contenders[0].job.hello["machine"]
        self.cases = contenders[0].job.hello["cases"]

    def renew(self):
        """Other processes, whose data lie elsewhere: where they happen to lie makes a difference that no number of turns shows."""
        for c in self.contenders:
            if c.job:
                c.job.end()
                c.job = None
                self._again(c)

    def measure(self, case, data, turns, first_uses):
        """Reports of one case: the times, and if asked for those of first uses."""
        bytes_ = self._set_up(case, data)
        times, firsts = [], []
        begin = time.monotonic()
        for turn in range(turns):
            first = turn % len(self.contenders)  # nobody is always measured after the same
            for c in self.contenders[first:] + self.contenders[:first]:
                self._turn(c, case, turn, times, firsts if first_uses else None)
            if time.monotonic() - begin > CASE_S:
                break
        self._compare(case)
        program = KEPT if data == "kept" else PROGRAM
        reports = [self._report(program, case, bytes_, times)]
        return reports + ([self._report(FIRST, case, bytes_, firsts)] if firsts else [])

    def _set_up(self, case, data):
        bytes_ = 0
        for c in self.contenders:
            if not c.job and c.failures < MOST_FAILURES:
                self._again(c)
            answer = self._asked(c, case, f"case {case} {data} {' '.join(c.methods(case))}")
            if answer:
                bytes_ = answer["bytes"]
                if answer["wrong"]:
                    self._lost(c, case, f"{answer['wrong']} elements are wrong")
        return bytes_

    def _turn(self, c, case, turn, times, firsts):
        for method in c.methods(case):
            self._keep(times, c, method, turn, self._asked(c, case, f"block {method}"))
        if firsts is not None and "datatypes" in c.methods(case) and not is_application(case):
            self._keep(firsts, c, "datatypes", turn, self._asked(c, case, "first datatypes"))

    @staticmethod
    def _keep(samples, c, method, turn, answer):
        if answer:
            samples.append({"turn": turn, "setup": c.setup, "name": c.name(method), **answer})

    def _compare(self, case):
        for c in self.contenders:
            answer = self._asked(c, case, "wrong")
            if answer and answer["wrong"]:
                self._lost(c, case, f"{answer['wrong']} elements of timed messages were wrong")

    def _asked(self, c, case, order):
        if not c.job:
            return None
        try:
            return c.job.ask(order)
        except JobFailed as e:
            self._lost(c, case, str(e))
            return None

    def _lost(self, c, case, why):
        """Nothing of this case counts, and the next begins with another job."""
        c.job.end()
        c.job = None
        c.failures += 1
        self.document["skipped"].append({"setup": c.setup, "what": f"{case}{' under Sode' if c.ours else ''}", "why": why})

    @staticmethod
    def _again(c):
        try:
            c.job = c.start()
        except JobFailed:
            c.failures += 1

    def _report(self, program, case, bytes_, samples):
        there = {(c.setup, c.ours) for c in self.contenders if c.job}
        samples = [s for s in samples if (s["setup"], s["name"].startswith((OURS, *LIMITS))) in there]
        return {"program": program, "library": "", "setup": "", "ranks": 2, "machine": self.machine,
                "ours": sorted({c.name("datatypes") for c in self.contenders if c.ours}), "limits": list(LIMITS), "distances": [],
                "cases": [{"case": case, "sizes": {"bytes": bytes_}, "samples": samples}]}


def chosen_cases(known, wanted, quick):
    """Those asked for, by name or family."""
    if not wanted:
        return [c for c in known if c in QUICK] if quick else known
    return [c for c in known if any(c == w or family(c)[0] == w or re.fullmatch(w, c) for w in wanted)]


def run(machine, setups, o, wanted, document, progress):
    """Measures until the time is over, every case at least once. Interrupted: what there is until then."""
    contenders = start(machine, setups, o.layer, o.prefix, o.limits, document)
    try:
        if not contenders:
            return
        document["libraries"] = {c.setup: c.job.hello["library"] for c in contenders}
        campaign = Campaign(contenders, document)
        cases = chosen_cases(campaign.cases, wanted, o.quick)
        plan = [("rewritten", case) for case in cases if o.data != "kept"]
        if o.data == "kept" or (o.data == "both" and not o.quick):
            plan += [("kept", case) for case in cases if is_pattern(case)]
        passes(campaign, plan, o, document, progress)
    except KeyboardInterrupt:
        document["skipped"].append({"setup": "", "what": "the rest", "why": "interrupted"})
    finally:
        progress.end()
        end(contenders)


def passes(campaign, plan, o, document, progress):
    begin, seconds = time.monotonic(), 0 if o.quick else 60 * o.minutes
    first = True
    while first or time.monotonic() - begin < seconds:
        for i, (data, case) in enumerate(plan):
            spent = time.monotonic() - begin
            if not first and spent >= seconds:
                return
            shares = ([i / len(plan)] if first else []) + ([spent / seconds] if seconds else [])
            progress.show(min(shares), f"{case}, {data}")
            document["reports"] += campaign.measure(case, data, o.turns, data == "rewritten")
        first = False
        campaign.renew()
