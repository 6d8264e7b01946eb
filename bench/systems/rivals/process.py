"""A worker process that answers JSON lines; whatever goes wrong ends it and is raised."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

from bench.errors import RivalFailed
from perdure.core.values import Json

TAIL_LINES = 20
PATIENCE_S = 10.0


class WorkerProcess:
    """Runs `script` under `python`; its stderr goes to `log`.

    PYTHON* variables are ignored, so that the worker sees its own packages and none of ours.
    """

    def __init__(self, name: str, *, python: Path, script: Path, log: Path) -> None:
        self.has_failed = False
        self._name = name
        self._log = log
        self._lines: queue.Queue[str | None] = queue.Queue()
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                [str(python), "-E", "-s", str(script)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            )
        self._reader = threading.Thread(target=self._read, name=f"bench-{name}", daemon=True)
        self._reader.start()

    @property
    def id(self) -> int:
        return self._process.pid

    def call(self, op: str, body: Mapping[str, Json], *, timeout_s: float) -> Mapping[str, Json]:
        """The answer to one request. RivalFailed if there is none or it is an error; the worker then ends."""
        self._send(json.dumps({"op": op, **body}))
        try:
            line = self._lines.get(timeout=timeout_s)
        except queue.Empty:
            raise self._failure(f"gave no answer to `{op}` within {timeout_s:g} s") from None
        except BaseException:
            # Broken off by the user: its answer may still come, and would be taken for that to the next call.
            self.has_failed = True
            self._kill()
            raise
        if line is None:
            raise self._failure(f"died during `{op}`", grace_s=PATIENCE_S)
        try:
            answer = json.loads(line)
        except ValueError as exc:
            raise self._failure(f"answered `{op}` with a line that is no JSON") from exc
        if not isinstance(answer, dict) or not isinstance(answer.get("ok"), bool):
            raise self._failure(f"answered `{op}` with something that is no answer")
        if not answer["ok"]:
            reason = answer.get("error", "no reason given")
            raise self._failure(f"could not do `{op}` ({reason})", grace_s=PATIENCE_S)
        return answer

    def stop(self) -> None:
        """End the process if it still runs; ends it hard if it does not go."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            try:
                self._process.stdin.close()
            except BrokenPipeError:
                # It is gone already, with unread requests; that was said when it was noticed.
                self._process.kill()
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._kill()
        self._reader.join(PATIENCE_S)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError) as exc:
            raise self._failure("is gone") from exc

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def _failure(self, what: str, *, grace_s: float = 0.0) -> RivalFailed:
        """The error to raise. The process is ended first; it has `grace_s` to go by itself."""
        self.has_failed = True
        try:
            self._process.wait(grace_s)
        except subprocess.TimeoutExpired:
            self._kill()
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-TAIL_LINES:]
        said = "\n".join(lines) or "(nothing)"
        return RivalFailed(
            f"{self._name}: the worker {what}; exit code {self._process.returncode}. "
            f"Its figures up to here do not count; run it again. Last words on stderr:\n{said}"
        )
