# SPDX-License-Identifier: Apache-2.0
"""Other sched_ext schedulers' C files as controls: what runs, and what a message says else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gthulhu_lab.errors import LabError
from gthulhu_lab.simulation import foreign, load, machine, play
from gthulhu_lab.simulation.play import Figures, Player
from gthulhuc.cli import gthulhu
from gthulhuc.codegen.clang import find_clang
from scenario import compiled

PLAIN = compiled("policy p {}")

FIFO = """\
#include <scx/common.bpf.h>
#include "settings.h"

char _license[] SEC("license") = "GPL";
UEI_DEFINE(uei);

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(key_size, sizeof(u32));
	__uint(value_size, sizeof(u64));
	__uint(max_entries, 2);
} counters SEC(".maps");

static void count(u32 which, s32 cpu)
{
	u64 *counter = bpf_map_lookup_percpu_elem(&counters, &which, cpu);

	if (counter)
		(*counter)++;
}

s32 BPF_STRUCT_OPS(own_select_cpu, struct task_struct *p, s32 prev_cpu, u64 wake_flags)
{
	bool is_idle = false;
	s32 cpu = scx_bpf_select_cpu_dfl(p, prev_cpu, wake_flags, &is_idle);

	if (is_idle) {
		count(0, cpu);
		scx_bpf_dsq_insert(p, SCX_DSQ_LOCAL, SCX_SLICE_DFL, 0);
	}
	return cpu;
}

void BPF_STRUCT_OPS(own_enqueue, struct task_struct *p, u64 enq_flags)
{
	/* ENQUEUE */
	scx_bpf_dsq_insert(p, QUEUE, SCX_SLICE_DFL, enq_flags);
}

void BPF_STRUCT_OPS(own_dispatch, s32 cpu, struct task_struct *prev)
{
	scx_bpf_dsq_move_to_local(QUEUE, 0);
}

s32 BPF_STRUCT_OPS_SLEEPABLE(own_init)
{
	/* INIT */
	return scx_bpf_create_dsq(QUEUE, NUMA_NO_NODE);
}

void BPF_STRUCT_OPS(own_exit, struct scx_exit_info *info)
{
	UEI_RECORD(uei, info);
}

SCX_OPS_DEFINE(own_ops,
	.select_cpu = (void *)own_select_cpu,
	.enqueue = (void *)own_enqueue,
	.dispatch = (void *)own_dispatch,
	.init = (void *)own_init,
	.exit = (void *)own_exit,
	/* MEMBERS */
	.name = "own");
"""


def written(folder: Path, changes: dict[str, str] | None = None) -> str:
    """The path of the scheduler, with texts in it replaced."""
    text = FIFO
    for old, new in (changes or {}).items():
        assert old in text
        text = text.replace(old, new)
    (folder / "own.bpf.c").write_text(text)
    (folder / "settings.h").write_text("#define QUEUE 5\n")
    return str(folder / "own.bpf.c")


def run(player: Player, scheduler: Path, on: str = "4", name: str = "hogs") -> Figures:
    place = replace(machine.read(on), costs={})
    wanted = load.standard(name, PLAIN, place.cpus)
    return player.run(scheduler, play.scenario(wanted, place, seed=1, seconds=0.2))


@pytest.fixture(scope="module")
def player() -> Player:
    return Player(costed=False)


@pytest.mark.parametrize("name", ["pairs", "wakers", "hogs"])
def test_a_foreign_fifo_acts_like_that_of_the_model(
    name: str, player: Player, tmp_path: Path
) -> None:
    own = run(player, player.control(written(tmp_path)), name=name)
    assert own == run(player, player.control("fifo"), name=name)


def test_its_lines_and_locks_have_names(tmp_path: Path) -> None:
    player = Player()
    place = machine.read("16x2")
    text = "static u64 enqueued;\n"
    changes = {
        "/* ENQUEUE */": "__sync_fetch_and_add(&enqueued, 1);",
        "UEI_DEFINE": f"{text}UEI_DEFINE",
    }
    wanted = load.standard("pairs", PLAIN, 32)
    found = player.run(
        player.control(written(tmp_path, changes)),
        play.scenario(wanted, place, seed=1, seconds=0.005),
    )
    assert found.spent is not None
    assert found.spent.lines["enqueued"].number > 1000
    assert "queue 0x5" in found.spent.locks


def test_a_queue_for_each_node_is_the_machines(player: Player, tmp_path: Path) -> None:
    changes = {
        "/* INIT */": "for (u32 i = 0; i < scx_bpf_nr_node_ids(); i++)\n"
        "\t\tscx_bpf_create_dsq(100 + i, i);\n",
        "insert(p, QUEUE": "insert(p, 100 + scx_bpf_cpu_node(scx_bpf_task_cpu(p))",
        "move_to_local(QUEUE": "move_to_local(100 + __COMPAT_scx_bpf_cpu_node(cpu)",
    }
    own = run(player, player.control(written(tmp_path, changes)), on="8x4x2")
    busy_ns = sum(group.ran_ns for group in own.groups)
    assert busy_ns == pytest.approx(8 * own.window_ns, rel=0.01)


def test_a_header_that_changes_counts(player: Player, tmp_path: Path) -> None:
    path = written(tmp_path)
    first = player.control(path)
    (tmp_path / "settings.h").write_text("#define QUEUE 6\n")
    assert player.control(path) != first
    written(tmp_path)
    assert player.control(path) == first


def test_a_function_that_may_be_missing_is_not_there(player: Player, tmp_path: Path) -> None:
    changes = {
        "UEI_DEFINE": "void bpf_new(void) __ksym __weak;\nUEI_DEFINE",
        "/* ENQUEUE */": "if (bpf_ksym_exists(bpf_new))\n\t\tbpf_new();",
    }
    own = run(player, player.control(written(tmp_path, changes)))
    assert own == run(player, player.control("fifo"))


LACKING = {
    "function": ({"/* ENQUEUE */": "scx_bpf_new(p);"}, "the function `scx_bpf_new`"),
    "two functions": (
        {
            "UEI_DEFINE": "void bpf_one(void) __ksym;\nvoid bpf_two(void) __ksym;\nUEI_DEFINE",
            "/* ENQUEUE */": "bpf_two();\n\tbpf_one();",
        },
        "the function `bpf_one`\n  the function `bpf_two`",
    ),
    "member": (
        {"/* ENQUEUE */": "if (p->utime)\n\t\treturn;"},
        "the member `struct task_struct.utime`",
    ),
    "operation": ({"/* MEMBERS */": ".new_thing = NULL,"}, "new_thing"),
    "type": ({"/* ENQUEUE */": "struct rq *rq; rq->nr = 1;"}, "the type `struct rq`"),
    "name": ({"SCX_SLICE_DFL": "SCX_SLICE_NEW"}, "the name `SCX_SLICE_NEW`"),
    "header": ({'"settings.h"': "<lib/pmu.h>"}, "the header `lib/pmu.h`"),
}


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("what", LACKING)
def test_all_that_the_model_lacks_is_named(
    what: str, compiler: str, player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes, why = LACKING[what]
    monkeypatch.setenv("CC", "gcc" if compiler == "gcc" else find_clang())
    with pytest.raises(LabError) as caught:
        player.control(written(tmp_path, changes))
    assert why in caught.value.message
    if what != "operation":
        assert "own.bpf.c needs what the model of the kernel lacks:\n  the " in caught.value.message
    assert "docs/simulation.md" in caught.value.remedy


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"scx_bpf_dsq_insert(p, QUEUE": "if (0) scx_bpf_dsq_insert(p, QUEUE"}, "is lost"),
        (
            {"/* ENQUEUE */": "scx_bpf_dsq_insert(p, QUEUE, 1, 0);"},
            "broke a rule of the kernel: .* is inserted twice",
        ),
        ({"/* INIT */": "return -ENOMEM;"}, "init returns -12"),
        ({"/* INIT */": 'scx_bpf_error("no such thing: %d", 5);'}, "no such thing"),
        (
            {
                "SCX_OPS_DEFINE": 'SEC("kprobe/x")\nint probe(void) { return 0; }\nSCX_OPS_DEFINE',
            },
            "the model does not support kprobe/x",
        ),
    ],
)  # fmt: skip
def test_a_scheduler_that_fails_says_how(
    changes: dict[str, str], why: str, player: Player, tmp_path: Path
) -> None:
    scheduler = player.control(written(tmp_path, changes))
    place = replace(machine.read("2"), costs={})
    wanted = load.standard("pairs", PLAIN, 4)
    with pytest.raises(LabError, match=why):
        player.run(scheduler, play.scenario(wanted, place, seed=1, seconds=1.2))


def test_a_file_without_operations_is_no_scheduler(player: Player, tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("#include <scx/common.bpf.h>\n")
    with pytest.raises(LabError, match="is not a scheduler"):
        run(player, player.control(str(tmp_path / "x.c")))


def test_members_without_effect_are_found(tmp_path: Path) -> None:
    changes = {"/* MEMBERS */": ".cpu_online = NULL, .dump = NULL, .dispatch_max_batch = 8,"}
    text = foreign.expanded(Path(written(tmp_path, changes)))
    assert foreign.not_called(text) == ["cpu_online", "dispatch_max_batch"]


def test_the_command_takes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, {"/* MEMBERS */": ".yield = NULL,"})
    (tmp_path / "p.gpl").write_text("policy p {}\n")
    words = ["simulate", str(tmp_path / "p.gpl"), "--machine=2", "--seeds=1", "--seconds=0.05"]
    assert gthulhu.main([*words, "--workload=pairs", f"--control=fifo,mine={path}"]) == 0
    said = capsys.readouterr()
    assert "left out: mine: the model does not use `yield`" in said.err
    assert "  mine  " in said.out
    assert gthulhu.main([*words, "--control=none.bpf.c"]) == 2
    assert "cannot read none.bpf.c: no such file" in capsys.readouterr().err
