# SPDX-License-Identifier: Apache-2.0
"""Generated schedulers on a model of the kernel: their invariants, and that they can fail.

Violations have the names of docs/model.md; `references` and `error` stand for refusals by the
verifier or the kernel. A run is the same each time.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from extent import Extent, first_of
from generator import draw
from gthulhuc import codegen, plan
from random_schedules import WORDS, random_scenario
from scenario import FOREVER, MS, US, Facts, S, Scenario, compiled
from simulation import Machine, Outcome

ROOT = Path(__file__).parents[2]
POLICIES = sorted((ROOT / "policies").glob("*.gpl"))
SCENARIOS = 8


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    return Machine(tmp_path_factory.mktemp("machine"))


def run(machine: Machine, scenario: Scenario, text: str) -> Outcome:
    return machine.run(machine.scheduler(compiled(text)), scenario)


def shares(outcome: Outcome, pids: list[int]) -> list[float]:
    """Each task's share of the CPU time that they had together."""
    had = [sum(outcome.tasks[pid].ran_ns) for pid in pids]
    return [time / sum(had) for time in had]


# ---- Policies that are shipped, and random ones ----


@pytest.mark.parametrize("path", POLICIES, ids=lambda path: path.stem)
def test_shipped_policy_holds_in_random_schedules(
    machine: Machine, path: Path, extent: Extent
) -> None:
    policy = compiled(path.read_text())
    scheduler = machine.scheduler(policy)
    for seed in range(100 if extent.is_soak else 40):
        assert machine.run(scheduler, random_scenario(policy, seed)).violation is None, seed


@pytest.mark.parametrize("number", first_of(range(100), 30))
def test_random_policy_holds_in_random_schedules(machine: Machine, number: int) -> None:
    text, policy = draw(number, WORDS)
    scheduler = machine.scheduler(policy)
    for seed in range(number * SCENARIOS, (number + 1) * SCENARIOS):
        outcome = machine.run(scheduler, random_scenario(policy, seed))
        assert outcome.violation is None, (seed, text)


def test_many_lists_of_cpus_hold_in_random_schedules(machine: Machine) -> None:
    facts = [f'comm == "{name.decode()}"' for name in WORDS.names]
    facts += [f'cgroup == "{path.decode()}"' for path in WORDS.paths]
    lists = [
        ", ".join(str(cpu) for cpu in range(WORDS.cpus) if bits >> cpu & 1)
        for bits in range(1, len(facts) + 1)
    ]
    rules = [
        f"rule r{number} {{ match {fact} cpus {cpus} }}\n"
        for number, (fact, cpus) in enumerate(zip(facts, lists, strict=True))
    ]
    policy = compiled("policy lists {}\n" + "".join(rules))
    scheduler = machine.scheduler(policy)
    assert "join_domains" in codegen.render(plan.build(policy))
    for seed in range(50):
        assert machine.run(scheduler, random_scenario(policy, seed)).violation is None, seed


# ---- Shares; test_host_fairness.py has those of the whole machine ----

CLASSES = """
policy shares {}
rule heavy { match comm == "heavy" weight 300 }
rule early { match comm == "early" priority urgent weight 100 }
rule late  { match comm == "late" priority idle weight 100 }
"""


def hogs(scenario: Scenario, *names: bytes, cpus: int | None = None) -> list[int]:
    pids = [scenario.task(name, Facts(cpus=cpus), burst=FOREVER) for name in names]
    scenario.start()
    for pid in pids:
        scenario.wake(pid)
    return pids


def weighted() -> tuple[Scenario, list[int]]:
    """Weights 3 and 1, on a CPU from which another one takes them now and then to change them."""
    scenario = Scenario(compiled(CLASSES), cpus=2)
    pids = hogs(scenario, b"heavy", b"plain", cpus=1)
    for step in range(1, 400):
        scenario.at(step * 10 * MS)
        scenario.nice(pids[0], 0)
    return scenario.end(4 * S), pids


def test_shares_follow_weights(machine: Machine) -> None:
    scenario, pids = weighted()
    outcome = run(machine, scenario, CLASSES)
    assert outcome.violation is None
    assert shares(outcome, pids) == pytest.approx([0.75, 0.25], rel=0.05)


def test_a_level_is_a_lead_and_no_share(machine: Machine) -> None:
    scenario = Scenario(compiled(CLASSES), cpus=1)
    pids = hogs(scenario, b"early", b"late")
    outcome = run(machine, scenario.end(20 * S), CLASSES)
    early, late = shares(outcome, pids)
    assert early - late == pytest.approx(0.44 / 20, rel=0.2)  # the levels are 440 ms apart


def test_a_task_that_loses_its_storage_gains_little(machine: Machine) -> None:
    """As after failed forks, before 7.2. Each time its lag is forgiven."""
    scenario = Scenario(compiled(CLASSES), cpus=1)
    pids = hogs(scenario, b"heavy", b"plain")
    for step in range(1, 100):
        scenario.at(step * 40 * MS)
        scenario.forget(pids[1])
    outcome = run(machine, scenario.end(4 * S), CLASSES)
    assert outcome.violation is None
    # A slice at most, 25 times a second: without a class it would have all the CPU.
    assert shares(outcome, pids)[1] == pytest.approx(0.25, abs=0.08)


def test_a_new_class_can_be_interrupted_though_nobody_else_has_run(machine: Machine) -> None:
    text = 'policy p {}\nrule fast { match comm == "fast" priority urgent preempt }\n'
    scenario = Scenario(compiled(text + "default { slice 20ms }\n"), cpus=1)
    hog = scenario.task(b"fast", burst=FOREVER)
    late = scenario.task(b"fast", burst=100 * US)
    scenario.start()
    scenario.wake(hog)
    scenario.at(10 * MS)
    scenario.rename(hog, b"slow")
    scenario.at(15 * MS)
    scenario.wake(late)
    outcome = run(machine, scenario.end(40 * MS), text + "default { slice 20ms }\n")
    assert outcome.violation is None
    assert outcome.tasks[late].max_wait_ns < 100 * US


def test_a_new_task_interrupts_as_one_that_is_woken(machine: Machine) -> None:
    """A server that starts a thread for each connection would wait for a slice at each."""
    text = 'policy p {} rule fast { match comm == "fast" priority urgent preempt }\n'
    text += "default { slice 20ms }\n"
    scenario = Scenario(compiled(text), cpus=2)
    maker = scenario.task(b"fast", burst=100 * US)
    hogs(scenario, *[b"hog"] * 4)
    new = []
    for step in range(1, 10):
        scenario.at(step * 5 * MS)
        new.append(scenario.fork(maker, thread=True, burst=100 * US))
    outcome = run(machine, scenario.end(60 * MS), text)
    assert outcome.violation is None
    assert max(outcome.tasks[pid].max_wait_ns for pid in new) < 100 * US


def test_a_waker_that_is_about_to_sleep_has_time_to_make_way(machine: Machine) -> None:
    """A task that sends many messages would be preempted by each receiver in turn."""
    text = 'policy p {} rule fast { match comm == "fast" priority urgent preempt after 50us }\n'
    text += "default { slice 20ms }\n"
    scenario = Scenario(compiled(text), cpus=2)
    at_once, first, second, served = [scenario.task(b"fast", burst=100 * US) for _ in range(4)]
    hogs(scenario, *[b"hog"] * 2)
    scenario.at(5 * MS)
    scenario.wake(at_once)
    scenario.at(10 * MS)
    scenario.wake(first, sync=True)
    scenario.wake(second, sync=True)
    scenario.at(50 * MS)
    sender = scenario.task(b"slow", burst=250 * US)
    scenario.work(sender, 250 * US, FOREVER, served)
    scenario.wake(sender)
    outcome = run(machine, scenario.end(150 * MS), text)
    assert outcome.violation is None
    waits = {pid: outcome.tasks[pid].max_wait_ns for pid in (at_once, first, second, served)}
    assert waits[at_once] < 50 * US
    assert 300 * US <= waits[first] < 350 * US
    # The other CPU's hog goes on for as long.
    assert 300 * US <= waits[second] < 350 * US
    assert waits[served] < 50 * US


def test_one_task_at_a_time_waits_to_interrupt_another(machine: Machine) -> None:
    """A second one would have to wait for the first one, beside a CPU that falls idle."""
    text = 'policy p {} rule fast { match comm == "fast" priority urgent slice 20ms '
    text += "preempt after 2ms }"
    scenario = Scenario(compiled(text), cpus=2)
    brief = scenario.task(b"fast", Facts(cpus=0b01), burst=6 * MS)
    hog = scenario.task(b"hog", Facts(cpus=0b10), burst=FOREVER)
    nexts = [scenario.task(b"fast", burst=FOREVER) for _ in range(2)]
    scenario.start()
    scenario.wake(brief, 0)
    scenario.wake(hog, 1)
    for number, pid in enumerate(nexts, 1):
        scenario.at(number * 200 * US)
        scenario.wake(pid, 1)
    outcome = run(machine, scenario.end(15 * MS), text)
    assert outcome.violation is None
    assert max(outcome.tasks[pid].max_wait_ns for pid in nexts) < 6 * MS


def test_a_task_interrupts_no_later_than_a_slice_ends(machine: Machine) -> None:
    """The running task is alone, and its slices are shorter than it may run for."""
    text = 'policy p {} rule fast { match comm == "fast" priority urgent preempt after 5ms }\n'
    text += "default { slice 200us }\n"
    scenario = Scenario(compiled(text), cpus=1)
    fast = scenario.task(b"fast", burst=100 * US, sleep=7 * MS)
    hogs(scenario, b"hog")
    scenario.wake(fast)
    outcome = run(machine, scenario.end(100 * MS), text)
    assert outcome.violation is None
    assert outcome.tasks[fast].max_wait_ns < 250 * US


def test_a_task_that_changes_its_class_leaves_before_the_tick(machine: Machine) -> None:
    """It is alone, so its slice has ended without notice, and another list of CPUs holds."""
    text = 'policy p {} default { cpus 0 } rule all { match cgroup == "/all" slice 200us cpus all }'
    scenario = Scenario(compiled(text), cpus=2)
    task = scenario.task(b"task", Facts(cgroup=b"/all"), burst=FOREVER)
    scenario.start()
    scenario.affinity(task, 0b10)
    scenario.wake(task, 1)
    scenario.at(100 * US)
    scenario.affinity(task, 0b11)
    scenario.at(MS)
    scenario.cgroup(task, b"/")
    outcome = run(machine, scenario.end(10 * MS), text)
    assert outcome.violation is None
    assert 0 < outcome.tasks[task].ran_ns[1] < 1300 * US


def test_changes_of_a_task_put_off_no_interruption(machine: Machine) -> None:
    """A running task that changes its affinity stops and goes on, with the rest of its run."""
    text = 'policy p {} rule fast { match comm == "fast" priority urgent preempt after 2ms }\n'
    text += "default { slice 20ms }\n"
    scenario = Scenario(compiled(text), cpus=1)
    fast = scenario.task(b"fast", burst=100 * US, sleep=7 * MS)
    _, hog = hogs(scenario, *[b"hog"] * 2)
    scenario.wake(fast)
    for step in range(1, 500):
        scenario.at(step * 300 * US)
        scenario.affinity(hog, 1 + step % 2 * 2)
    outcome = run(machine, scenario.end(150 * MS), text)
    assert outcome.violation is None
    assert outcome.tasks[fast].waits > 10
    assert outcome.tasks[fast].max_wait_ns < 2.1 * MS


def test_tasks_that_run_next_need_no_others_that_wait(machine: Machine) -> None:
    """The first has a slice beside the second, although nobody waits in a queue."""
    text = "policy p {} default { slice 20ms }\n"
    text += 'rule fast { match comm == "fast" priority urgent slice 200us '
    text += "preempt after 150us budget 9ms per 10ms }\n"
    scenario = Scenario(compiled(text), cpus=1)
    sleeper = scenario.task(b"slow", burst=120 * US)
    nexts = [scenario.task(b"fast", burst=1 * MS) for _ in range(2)]
    scenario.start()
    scenario.at(10 * MS)
    scenario.wake(sleeper)
    for number, pid in enumerate(nexts):
        scenario.at(10 * MS + (10 + 60 * number) * US)
        scenario.wake(pid)
    outcome = run(machine, scenario.end(30 * MS), text)
    assert outcome.violation is None
    assert all(outcome.tasks[pid].max_wait_ns < 350 * US for pid in nexts)


def test_counting_changes_no_decision(machine: Machine, extent: Extent) -> None:
    for path in POLICIES if extent.is_soak else POLICIES[::4]:
        policy = compiled(path.read_text())
        plain = machine.scheduler(policy)
        counting = machine.scheduler(policy, codegen.render(plan.build(policy), stats=True))
        for seed in range(20):
            scenario = random_scenario(policy, seed)
            outcome = machine.run(counting, scenario)
            assert outcome.violation is None
            assert outcome == machine.run(plain, scenario)


# ---- CPUs ----

RESCUED = """
policy rescued {}
rule idlers { match comm == "idler" priority idle slice 10ms max-wait 200ms }
default     { slice 1ms max-wait 2s }
"""


def longest_wait(machine: Machine, scheduler: Path) -> int:
    """The longest wait, in 30 s, of a task that wakes every 10 ms beside hogs and rescued tasks."""
    scenario = Scenario(compiled(RESCUED), cpus=1)
    waker = scenario.task(b"waker", burst=100_000, sleep=10 * MS)
    hogs(scenario, *[b"hog"] * 4, b"idler")
    scenario.wake(waker)
    outcome = machine.run(scheduler, scenario.end(30 * S))
    assert outcome.violation is None
    return outcome.tasks[waker].max_wait_ns


def test_rescues_do_not_take_the_clock_along(machine: Machine) -> None:
    policy = compiled(RESCUED)
    assert longest_wait(machine, machine.scheduler(policy)) < 50 * MS
    mutant = machine.mutant(policy, "cpu, in_order, others);", "cpu, in_order || true, others);")
    assert longest_wait(machine, mutant) > 150 * MS


def test_a_cpu_looks_again_for_a_task_that_is_counted_but_not_there(machine: Machine) -> None:
    """Otherwise it waits for the end of a slice, or until it is overdue."""
    policy = compiled("policy p {}")
    scenario = Scenario(policy, cpus=2)
    late = scenario.task(b"late")
    # It has not run for long enough to be interrupted.
    brief = scenario.task(b"brief", burst=100 * US)
    hogs(scenario, b"hog")
    scenario.wake(brief)
    scenario.at(90 * US)
    scenario.gap(late, 30 * US)
    scenario.wake(late)
    scenario.end(20 * MS)
    scheduler = machine.scheduler(policy)
    assert machine.run(scheduler, scenario).tasks[late].max_wait_ns < 100 * US
    mutant = machine.mutant(policy, "retry_soon(c);", ";")
    assert "I7" in (machine.run(mutant, scenario).violation or "")


EXCLUSIVE = """
policy exclusive {}
rule owner { match comm == "web" cpus 3 exclusive }
rule wide  { match comm ~ "a*" cpus 2-3 }
"""


def test_an_exclusive_cpu_is_not_even_anothers_by_name(machine: Machine) -> None:
    scenario = Scenario(compiled(EXCLUSIVE), cpus=4)
    wide = hogs(scenario, *[b"ab"] * 2)
    outcome = run(machine, scenario.end(S), EXCLUSIVE)
    assert outcome.violation is None
    for pid in wide:
        assert outcome.tasks[pid].ran_ns[:2] == (0, 0)
        assert outcome.tasks[pid].ran_ns[3] == 0


def test_a_task_that_never_migrates_does_not_settle_on_a_cpu_that_is_offline(
    machine: Machine,
) -> None:
    policy = compiled('policy p {} rule still { match comm == "a" migrate never }')
    scenario = Scenario(policy, cpus=4)
    still = scenario.task(b"a", burst=MS, sleep=9 * MS)
    hogs(scenario, *[b"hog"] * 4)
    scenario.wake(still)
    scenario.at(95 * MS)
    scenario.online(1, online=False)
    for step in range(1, 20):
        scenario.at(step * 100 * MS)
        scenario.affinity(still, 0b0011 if step % 2 else 0b1110)
    outcome = machine.run(machine.scheduler(policy), scenario.end(2 * S))
    assert outcome.violation is None
    assert sum(outcome.tasks[still].ran_ns) > 100 * MS


def test_a_task_that_may_not_migrate_runs_where_it_does_not_belong(machine: Machine) -> None:
    policy = compiled(EXCLUSIVE)
    scenario = Scenario(policy, cpus=4)
    (pid,) = hogs(scenario, b"web")
    scenario.at(100 * MS)
    scenario.migration(pid, allowed=False)
    scenario.rename(pid, b"other")
    scenario.at(200 * MS)
    scenario.migration(pid, allowed=True)
    outcome = machine.run(machine.scheduler(policy), scenario.end(S))
    assert outcome.violation is None
    *shared, exclusive = outcome.tasks[pid].ran_ns
    assert exclusive == pytest.approx(200 * MS, abs=10 * MS)
    assert sum(shared) == pytest.approx(800 * MS, abs=10 * MS)


# ---- The checks can fail: mutants of the generated C, each with what must catch it ----

UPF = POLICIES[0].parent.joinpath("upf.gpl").read_text()
TREE = 'policy tree {}\nrule makes { match parent == "make" }\n'

MUTANTS: dict[str, tuple[str, str, str, set[str]]] = {
    "no kick of an idle CPU": (
        UPF, "scx_bpf_kick_cpu(cpu, SCX_KICK_IDLE);\n\treturn true;", "return true;", {"I7"},
    ),
    "a task that is not queued": (
        UPF, "dsq_insert_vtime(p, queue,", "if (t->vtime % 64) dsq_insert_vtime(p, queue,",
        {"I1"},
    ),
    "a task that is queued twice": (
        UPF, "dsq_insert_vtime(p, queue,",
        "dsq_insert_vtime(p, queue, 1, 0, 0); dsq_insert_vtime(p, queue,", {"error"},
    ),
    "a queue that nobody serves": (
        EXCLUSIVE, "return domain_queue(p, t, c);", "return FIRST_DOMAIN_QUEUE + 2;",
        {"I1", "I3", "I7"},
    ),
    "an exclusive CPU that serves all": (
        EXCLUSIVE, "if (shared)", "if (true)", {"I3"},
    ),
    "a kernel thread that waits for a slice": (
        UPF, "t ? enq_flags | SCX_ENQ_PREEMPT : enq_flags", "enq_flags",
        {"I5"},
    ),
    "a reference that is kept": (
        UPF, "bpf_cgroup_release(ancestor);", "", {"references"},
    ),
    "a section that is left open": (
        TREE, "bpf_rcu_read_unlock();\n}", "}",
        {"references"},
    ),
    "a name that is not noted": (
        UPF, "read_name(&name, text);", "read_name(&name, p->comm);", {"I6"},
    ),
    "a running task that keeps its CPU": (
        EXCLUSIVE, "if (!c || !c->running || !scx_bpf_task_running(p))",
        "if (true)", {"I3"},
    ),
    "a run that is charged again": (
        CLASSES, "t->charged_ns += ran_ns;", "", {"shares"},
    ),
    "a run that costs nothing": (
        CLASSES, "fine_ns(ran_ns, weight_of(p, t));", "0;", {"shares"},
    ),
    "a weight that does not count": (
        CLASSES, ".weight = 300", ".weight = 100", {"shares"},
    ),
    "a slice that does not end": (
        UPF, "return slice < params->slice_min_ns ? params->slice_min_ns : slice;",
        "return slice + 100000000;", {"I8"},
    ),
    "a slice that ends at the tick": (
        UPF, "if (!c->interrupted)\n\t\tscx_bpf_kick_cpu(cpu, SCX_KICK_PREEMPT);", ";", {"I8"},
    ),
    "a table that is too short": (
        UPF, "return &name_rows[bounded(", "return &name_rows[9 + bounded(", {"sanitizer"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(machine: Machine, name: str) -> None:
    text, old, new, catches = MUTANTS[name]
    policy = compiled(text)
    scheduler = machine.mutant(policy, old, new)
    if catches == {"shares"}:
        scenario, pids = weighted()
        had = shares(machine.run(scheduler, scenario), pids)
        assert had != pytest.approx([0.75, 0.25], rel=0.05)
        return
    lives = (machine.complaint(scheduler, random_scenario(policy, seed)) for seed in range(200))
    found = next(filter(None, lives), None)
    assert found in catches
