# SPDX-License-Identifier: Apache-2.0
"""`gthulhu metrics`: the counters of the policy in force, for Prometheus."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gthulhu import service
from gthulhu.options import add_state
from gthulhuc.cli import frame
from gthulhuc.cli.commands import add_command
from gthulhuc.cli.frame import CommandError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prometheus_client import Metric

    from gthulhu.control import Answer
    from gthulhu.counters import Class, Histogram, Stats
    from gthulhuc.cli.commands import Commands

_HERE = "127.0.0.1:9464"

_EPILOG = f"""\
Serves http://{_HERE}/metrics until Ctrl-C, as OpenMetrics or in the older text format, as the
client requests. Each scrape asks the loader. The service has neither encryption nor a login: on
any address but a local one, everyone on the network can read the counters and the rules' names.

examples:
  sudo gthulhu metrics
  sudo gthulhu metrics --listen [::1]:9100
  sudo gthulhu metrics --once                  prints the metrics and ends

exit status: 2 usage, the address is not available, or the Python package prometheus_client is
missing; with --once 0 done, 2 also if the policy does not count or the loader does not respond,
3 no policy is in force
"""


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = add_command(
        commands,
        "metrics",
        run,
        help="serve the counters as OpenMetrics",
        description="Serve the counters of each rule as OpenMetrics, for Prometheus.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "--listen",
        metavar="ADDRESS:PORT",
        type=_address,
        default=_HERE,
        help=f"the address to listen on; port 0: any free port (default: {_HERE})",
    )
    parser.add_argument("--once", action="store_true", help="print the metrics once and end")
    add_state(parser)


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if colon and host and port.isascii() and port.isdecimal() and int(port) < 1 << 16:
        return host.removeprefix("[").removesuffix("]"), int(port)
    raise argparse.ArgumentTypeError(f"expected ADDRESS:PORT, found `{text}`")


def run(options: argparse.Namespace) -> int:
    """Serves the metrics until a signal, or prints them once. Raises CommandError."""
    import signal

    try:
        from prometheus_client import CollectorRegistry, start_http_server
        from prometheus_client.openmetrics.exposition import generate_latest
    except ImportError as error:
        raise CommandError(
            "the Python package prometheus_client is missing",
            frame.pip_install("prometheus_client"),
        ) from error

    registry = CollectorRegistry(auto_describe=False)
    collector = _Collector(options.state, may_fail=options.once)
    registry.register(collector)
    if options.once:
        write: Callable[[CollectorRegistry], bytes] = generate_latest
        frame.out(write(registry))
        if collector.not_running is None:
            return frame.OK
        raise collector.not_running
    host, port = options.listen
    try:
        server, _ = start_http_server(port, host, registry)
    except OSError as error:
        raise CommandError(
            f"cannot listen on {host}:{port}: {frame.reason(error)}",
            "choose another address with `--listen ADDRESS:PORT`; port 0 takes any free port",
        ) from error
    shown = f"[{host}]" if ":" in host else host
    frame.out(f"serving http://{shown}:{server.server_port}/metrics\n")
    service.tell_ready()
    try:
        while True:
            signal.pause()
    finally:
        server.shutdown()
        server.server_close()


def collector(state: str) -> _Collector:
    """A collector of the metrics of the loader in a folder, for prometheus_client."""
    return _Collector(state, may_fail=True)


class _Collector:
    """Asks the loader at each scrape."""

    def __init__(self, state: str, *, may_fail: bool) -> None:
        self._state = state
        self._may_fail = may_fail
        self.not_running: CommandError | None = None
        """The error of the last scrape, if no policy was in force."""

    def collect(self) -> Iterator[Metric]:
        """All metrics; of a loader that cannot be asked, only that."""
        from prometheus_client.metrics_core import CounterMetricFamily

        from gthulhu import conditions, control, counters, promises

        status = stats = self.not_running = None
        try:
            status = control.ask(self._state, "status")
            is_in_force = status["in_force"]
        except control.NotRunningError:
            is_in_force = False
            self.not_running = control.NotRunningError(self._state, " --stats")
        except CommandError:
            # A scraper cannot read a message, but the metrics differ.
            if self._may_fail:
                raise
            status, is_in_force = None, False
        if is_in_force:
            try:
                stats = counters.read(self._state)
            except CommandError:
                if self._may_fail:
                    raise
        ejections = CounterMetricFamily(
            "gthulhu_ejections", "Policies that the kernel has ejected since boot."
        )
        ejections.add_metric([], control.ejections(self._state))
        yield ejections
        yield from _states(
            status, is_counting=bool(stats and stats.classes), is_down=bool(self.not_running)
        )
        if stats is not None:
            yield from _families(stats)
            yield from _limits(stats)
        if status is not None:
            yield from promises.families(status)
            yield from conditions.families(status)


def _states(status: Answer | None, *, is_counting: bool, is_down: bool) -> Iterator[Metric]:
    """The state of the loader. `status`: None if none answers; `is_down`: none runs."""
    from prometheus_client.metrics_core import (
        CounterMetricFamily,
        GaugeMetricFamily,
        InfoMetricFamily,
    )

    def gauge(name: str, text: str, value: float) -> Metric:
        family = GaugeMetricFamily(f"gthulhu_{name}", text)
        family.add_metric([], value)
        return family

    yield gauge("loader_up", "Whether a loader answers.", status is not None)
    if status is not None or is_down:
        yield gauge(
            "in_force",
            "Whether the kernel runs a policy of the loader.",
            bool(status and status["in_force"]),
        )
    yield gauge("counting", "Whether a policy with counters is in force.", is_counting)
    if status is None:
        return
    yield gauge("generation", "Number of policies put in force since boot.", status["generation"])
    restarts = CounterMetricFamily(
        "gthulhu_restarts", "Times that the loader loaded a policy again after an ejection."
    )
    restarts.add_metric([], status["restarts"])
    yield restarts
    yield InfoMetricFamily(
        "gthulhu_policy",
        "The policy in force.",
        {
            "policy": status["policy"],
            "generation": str(status["generation"]),
            "since": status["since"],
        },
    )


def _families(stats: Stats) -> Iterator[Metric]:
    from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

    from gthulhu.counters import COUNTERS

    tasks = GaugeMetricFamily("gthulhu_tasks", "Current tasks of the rule.", labels=["rule"])
    ran = CounterMetricFamily(
        "gthulhu_run_seconds", "Time on a CPU.", labels=["rule"], unit="seconds"
    )
    for each in stats.classes:
        tasks.add_metric([each.owner.name], each.tasks)
        ran.add_metric([each.owner.name], each.ran_ns / 1e9)
    yield tasks
    yield ran
    for name, text in COUNTERS.items():
        family = CounterMetricFamily(
            f"gthulhu_{name}", f"{text[0].upper()}{text[1:]}.", labels=["rule"]
        )
        for each in stats.classes:
            if name in each.counts:
                family.add_metric([each.owner.name], each.counts[name])
        yield family
    yield _times(
        "gthulhu_wait_seconds",
        "Time from runnable to running.",
        [(each, each.waits) for each in stats.classes],
    )
    yield _times(
        "gthulhu_wakeup_seconds",
        "Time from wake-up to running.",
        [(each, each.wakeups) for each in stats.classes],
    )


def _limits(stats: Stats) -> Iterator[Metric]:
    """The counters of the cgroups with a limit, if the policy keeps limits."""
    from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

    from gthulhu.counters import LIMIT_COUNTERS

    if stats.limits is None:
        return
    for name, text in LIMIT_COUNTERS.items():
        family = CounterMetricFamily(
            f"gthulhu_cgroup_{name}", f"{text[0].upper()}{text[1:]}.", labels=["cgroup"]
        )
        for each in stats.limits:
            family.add_metric([each.cgroup], each.counts[name])
        yield family
    throttled = CounterMetricFamily(
        "gthulhu_cgroup_throttled_seconds",
        "Time in which at least one task of the cgroup waited for quota.",
        labels=["cgroup"],
        unit="seconds",
    )
    burst = CounterMetricFamily(
        "gthulhu_cgroup_burst_seconds",
        "Run time above the quota, in all bursts.",
        labels=["cgroup"],
        unit="seconds",
    )
    for each in stats.limits:
        throttled.add_metric([each.cgroup], each.throttled_ns / 1e9)
        burst.add_metric([each.cgroup], each.burst_ns / 1e9)
    yield throttled
    yield burst
    left_out = GaugeMetricFamily(
        "gthulhu_cgroup_limits_left_out", "Cgroups with a limit that have no metrics."
    )
    left_out.add_metric([], stats.limits_left_out)
    yield left_out


def _times(name: str, text: str, found: list[tuple[Class, Histogram | None]]) -> Metric:
    from itertools import accumulate

    from prometheus_client.metrics_core import HistogramMetricFamily

    family = HistogramMetricFamily(name, text, labels=["rule"], unit="seconds")
    for each, times in found:
        if times is None:
            continue
        bounds = [*(str(bound / 1e9) for bound in times.bounds_ns), "+Inf"]
        buckets = list(zip(bounds, map(float, accumulate(times.counts)), strict=True))
        family.add_metric([each.owner.name], buckets, times.sum_ns / 1e9)
    return family
