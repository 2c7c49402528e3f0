# SPDX-License-Identifier: Apache-2.0
"""`sode bench wrong-models`: whether the layer finds the best path where its model is wrong. Profiles are drawn whose every cost is that of
this machine times 2^u, u uniform in [-2, 2]; after 200 messages under each, what a message takes is held against every forced path."""
import json
import os
import random
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field

from sode_bars.samples import median_interval, picked

from . import layers
from .jobs import Job, JobFailed

LEARNT = 200  # messages of each rank before it counts
TURNS = 6
JOBS = 3  # of each kind: what a message takes depends on where the memory of its job lies, too
PATHS = {"preload": ("plain", "staged"), "task": ("plain", "staged", "direct", "both", "push")}
CASES = ("wrf_x_vec_61440", "wrf_y_vec_92160", "milc_su3_zd_98304", "nas_mg_x_32768", "nas_mg_y_65536", "nas_lu_y_4080", "nas_lu_x_4080",
         "specfem_oc_12900", "specfem_cm_106248", "lammps_full_106368", "lammps_atomic_5472", "nas_lu_y_40800")
# Sizes, limits and counts: true of any machine.
KEPT = ("bytes", "pages", "gap", "entries", "interfaces")
GOOD, WORST = 0.9, 0.8


@dataclass
class Pair:
    profile: int
    setup: str
    case: str
    regime: str
    path: str  # the best that can be forced, found by one half of the samples
    ratio: float
    interval: tuple = field(default=(0, 0))
    turns: int = 0
    rounds: tuple = field(default=(0, 0, 0))  # the same of whole rounds, in which the data are written and read as well: ratio, interval


def drawn(base, chance):
    """A profile whose costs are wrong."""
    def wrong(node, name=""):
        if isinstance(node, dict):
            return {k: v if k == "machine" else wrong(v, k) for k, v in node.items()}
        if isinstance(node, bool) or not isinstance(node, (int, float)) or any(word in name for word in KEPT) and not name.endswith("_byte"):
            return node
        return node * 2 ** chance.uniform(-2, 2)
    return wrong(base)


def measured_profile(machine):
    """What `sode tune` says of this machine, in three seconds."""
    sode = layers.command_word(machine)
    if not sode:
        raise JobFailed("there is no sode command beside the benchmarks")
    done = subprocess.run([sode, "tune", "--quick", "--print"], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise JobFailed(f"sode tune failed: {done.stderr.strip()}")
    return json.loads(done.stdout[done.stdout.index("{"):])


def against_best(samples, regime):
    """Of the samples {(regime, path or 'learnt'): {turn: us}}, the best path and its (ratio, low, high, turns); None: seen too seldom."""
    mine = samples.get((regime, "learnt"), {})
    cells = {}
    for (r, path), times in samples.items():
        ratios = [times[t] / mine[t] for t in times if t in mine]
        if r == regime and path != "learnt" and len(ratios) >= 2:
            cells[path] = ratios
    if not cells:
        return None
    path, ratios = picked(cells)
    low, high = median_interval(ratios) if len(ratios) > 1 else (ratios[0], ratios[0])
    return path, (statistics.median(ratios), low, high, len(ratios))


def pairs_of(number, setup, case, messages, rounds):
    """One Pair for each regime that was seen often enough, cores near or far."""
    found = []
    for regime in sorted({r for r, _ in messages} - {"between"}):  # cores that moved within a block: nothing is alike
        if best := against_best(messages, regime):
            path, (ratio, low, high, turns) = best
            found.append(Pair(number, setup, case, regime, path, ratio, (low, high), turns, against_best(rounds, regime)[1][:3]))
    return found


class Campaign:
    def __init__(self, machine, setups, layer, document):
        self.machine = machine
        self.document = document
        self.forced = {}  # {(set-up, path): jobs}
        self.starts = {}
        for setup in setups:
            found = layers.prefix(machine, setup.mpi, layer)
            if not found:
                self._skip(setup.name, "under Sode", f"there is no libsode-interpose-{setup.mpi}.so in {machine.layers}")
                continue
            way, words = found
            command = machine.mpi_command(setup, 2, "bench_datatypes", before=words)
            self.starts[setup.name] = lambda more, c=command, e=setup.environment: Job(c, {**e, **more})
            for path in PATHS[way]:
                self.forced[(setup.name, path)] = self._start(setup.name, {"SODE_MPI_PATH": path, "SODE_PROFILE": "default"}, path)

    def end(self):
        for jobs in self.forced.values():
            for job in jobs:
                job.end()

    def _skip(self, setup, what, why):
        self.document["skipped"].append({"setup": setup, "what": what, "why": why})

    def _start(self, setup, environment, what):
        """Jobs of one kind; none where they do not start."""
        jobs = []
        try:
            for _ in range(JOBS):
                jobs.append(self.starts[setup](environment))
            return jobs
        except JobFailed as e:
            self._skip(setup, what, str(e))
            for job in jobs:
                job.end()
            return []

    def measure(self, number, profile, cases, turns, progress, share):
        """All cases of one profile, by all set-ups: Pairs."""
        pairs = []
        with tempfile.TemporaryDirectory(prefix="sode-bench-") as folder:
            path = os.path.join(folder, "profile.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(profile, file)
            for setup in self.starts:
                learners = self._start(setup, {"SODE_PROFILE": path, "SODE_CHOICE": "learn"}, f"profile {number}")
                if not learners:
                    continue
                try:
                    for i, case in enumerate(cases):
                        progress.show(share(i / len(cases)), f"profile {number}, {setup}, {case}")
                        pairs += pairs_of(number, setup, case, *self._race(setup, learners, case, turns))
                except JobFailed as e:
                    self._skip(setup, f"profile {number}", str(e))
                finally:
                    for job in learners:
                        job.end()
        return pairs

    def _race(self, setup, learners, case, turns):
        racers = {"learnt": learners, **{path: jobs for (s, path), jobs in self.forced.items() if s == setup and jobs}}
        for jobs in racers.values():
            for job in jobs:
                answer = job.ask(f"case {case} rewritten datatypes")
                if answer["wrong"]:
                    raise JobFailed(f"{answer['wrong']} elements of {case} are wrong")
        for learner in learners:
            seen = 0
            while seen < LEARNT:
                seen += max(1, learner.ask("block datatypes").get("rounds", 1))
        times, rounds = {}, {}
        names = list(racers)
        for turn in range(turns):
            for name in names[turn % len(names):] + names[:turn % len(names)]:
                for job in racers[name]:
                    answer = job.ask("block datatypes")
                    for all_of_them, us in ((times, answer["median_us"]), (rounds, answer["round_us"])):
                        all_of_them.setdefault((answer["regime"], name), {}).setdefault(turn, []).append(us)
        for name, jobs in racers.items():
            if any(job.ask("wrong")["wrong"] for job in jobs):
                raise JobFailed(f"elements of {case}, {name}, were wrong")
        return [{key: {turn: statistics.median(us) for turn, us in of.items()} for key, of in all_of_them.items()} for all_of_them in (times, rounds)]


def verdict(ratios):
    """{what is asked for: value}, of (ratio, low, high)"""
    medians = [r for r, _, _ in ratios]
    return {"pairs": len(ratios), "share_at_0.9": sum(high >= GOOD for _, _, high in ratios) / len(ratios),
            "share_of_medians_at_0.9": sum(r >= GOOD for r in medians) / len(ratios), "worst": min(medians),
            "below_0.8": sum(high < WORST for _, _, high in ratios), "geometric_mean": statistics.geometric_mean(medians)}


def verdicts(pairs):
    """Of messages, and of whole rounds: what a path leaves in the caches, the program pays when it writes or reads its data."""
    return {"messages": verdict([(p.ratio, *p.interval) for p in pairs]), "rounds": verdict([p.rounds for p in pairs])}


def table(pairs, seed):
    lines = [f"{'set-up':<10} {'case':<22} {'regime':<8} {'profiles':>8} {'least':>7} {'median':>7}  best forced paths"]
    for setup, case, regime in sorted({(p.setup, p.case, p.regime) for p in pairs}):
        mine = [p for p in pairs if (p.setup, p.case, p.regime) == (setup, case, regime)]
        lines.append(f"{setup:<10} {case:<22} {regime:<8} {len(mine):>8} {min(p.ratio for p in mine):>7.2f} "
                     f"{statistics.median(p.ratio for p in mine):>7.2f}  {', '.join(sorted({p.path for p in mine}))}")
    lines.append(f"\nseed {seed}: {len(pairs)} pairs of a profile and a pattern; best forced path / learnt, after {LEARNT} messages:")
    for what, v in verdicts(pairs).items():
        lines.append(f"  {what:<8} {100 * v['share_at_0.9']:.1f} % not below {GOOD} (medians alone: {100 * v['share_of_medians_at_0.9']:.1f} %), "
                     f"{v['below_0.8']} wholly below {WORST}, worst {v['worst']:.2f}, geometric mean {v['geometric_mean']:.3f}")
    lines.append("  (messages: the time of an exchange alone; rounds: with the writing of the data before, and the reading after it)")
    return "\n".join(lines)


def run(machine, setups, o, cases, document, progress):
    base = measured_profile(machine)
    chance = random.Random(o.seed)
    campaign = Campaign(machine, setups, o.layer, document)
    pairs = []
    try:
        for n in range(o.profiles):
            profile = drawn(base, chance)
            pairs += campaign.measure(n, profile, cases or CASES, o.turns, progress, lambda part, done=n: (done + part) / o.profiles)
    except KeyboardInterrupt:
        document["skipped"].append({"setup": "", "what": "the rest", "why": "interrupted"})
    finally:
        progress.end()
        campaign.end()
    document["seed"] = o.seed
    document["pairs"] = [vars(p) for p in pairs]
    return pairs
