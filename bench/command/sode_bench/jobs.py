# SPDX-License-Identifier: Apache-2.0
"""MPI jobs that stay: each does what it is told and sleeps meanwhile, so that different MPIs, and one MPI with different settings, can
take turns every few milliseconds (bench/datatypes/orders.hpp)."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from .runs import end, reason

START_S, ANSWER_S = 60, 120


class JobFailed(Exception):
    """Why it can go on no longer."""


class Job:
    """`command` understands --orders PIPE --answers PIPE. Raises JobFailed where it does not start."""

    def __init__(self, command, environment):
        self.folder = tempfile.mkdtemp(prefix="sode-bench-")
        self.process = None
        self.output = None
        self.pipes = []
        self.rest = b""
        try:
            paths = [os.path.join(self.folder, pipe) for pipe in ("orders", "answers")]
            for path in paths:
                os.mkfifo(path, 0o600)
                # For both directions, so that opening does not wait for the other side.
                self.pipes.append(os.open(path, os.O_RDWR))
            self.output = open(os.path.join(self.folder, "output"), "w+", encoding="utf-8")
            self.process = subprocess.Popen([*command, "--orders", paths[0], "--answers", paths[1]], env={**os.environ, **environment},
                                            stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)
            self.hello = self._answer(START_S)
        except OSError as e:
            self.end()
            raise JobFailed(str(e)) from e
        except BaseException:
            self.end()
            raise

    def ask(self, order, limit_s=ANSWER_S):
        os.write(self.pipes[0], (order + "\n").encode())
        return self._answer(limit_s)

    def end(self):
        """Asks it to end; by force where it does not."""
        if self.process is not None:
            try:
                os.write(self.pipes[0], b"end\n")
                self.process.wait(timeout=10)
            except (OSError, subprocess.TimeoutExpired):
                end(self.process)
            self.process = None
        if self.output:
            self.output.close()
        for pipe in self.pipes:
            os.close(pipe)
        self.pipes = []
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answer(self, limit_s):
        deadline = time.monotonic() + limit_s
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.pipes[1]], [], [], 0.2)
            if ready:
                self.rest += os.read(self.pipes[1], 65536)
            elif self.process.poll() is not None:
                raise JobFailed(f"exit status {self.process.returncode}: {reason(self._said())}")
            elif time.monotonic() > deadline:
                raise JobFailed(f"no answer after {limit_s:g} s")
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def _said(self):
        self.output.seek(0)
        return self.output.read()
