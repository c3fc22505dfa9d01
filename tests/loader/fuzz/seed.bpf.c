// SPDX-License-Identifier: GPL-2.0-only
/*
 * A small object with all that abi.h describes, from which fuzzing starts: a policy's own objects have
 * twenty times its size. Its scheduler does nothing.
 */
#define sched_ext_ops sched_ext_ops_of_today
#include "kernel.bpf.h"
#undef sched_ext_ops

#include "abi.h"

struct sched_ext_ops {
	int (*select_cpu)(struct task_struct *p, int cpu, u64 flags);
	void (*enqueue)(struct task_struct *p, u64 flags);
	void (*foresee)(struct task_struct *p);
	int (*init)(void);
	void (*exit)(void *info);
	u64 flags;
	u64 foresight;
	u64 hotplug_seq;
	char name[16];
};

char _license[] SEC("license") = "GPL";

const volatile struct gthulhu_policy policy = {
	.abi_version = GTHULHU_ABI_VERSION,
	.nr_pins = 1,
	.nr_ids = 2,
	.nr_tunables = 2,
	.nr_places = 2,
	.name = "seed",
	.file = "seed.gpl",
};
const volatile struct gthulhu_pin policy_pins[] = {
	{ .line = 12, .nr_words = 1, .rule = "poller", .cpus = { 1 } },
};
const volatile struct gthulhu_id policy_id_names[] = {
	{ .line = 3, .name = "root" },
	{ .line = 4, .is_group = 1, .name = "root" },
};
const volatile unsigned int policy_ids[2];
const volatile struct gthulhu_tunable policy_tunables[] = {
	{ .initial = 1000000,
	  .low = 500000,
	  .high = 2000000,
	  .unit = GTHULHU_NS,
	  .name = "quantum" },
	{ .initial = 100, .low = 1, .high = 1000, .name = "heft" },
};
const volatile struct gthulhu_place policy_places[] = {
	{ .tunable = 0, .size = 8, .variable = "params" },
	{ .tunable = 1, .size = 4, .offset = 8, .variable = "params" },
};
const volatile struct gthulhu_question policy_questions[] = {
	{ .asks = GTHULHU_IS, .nr_values = 2 },
	{ .bit = 1, .asks = GTHULHU_MATCHES, .text = 15, .nr_states = 2, .nr_columns = 2 },
	{ .bit = 2, .subject = GTHULHU_POD, .asks = GTHULHU_HAS },
};
const volatile char policy_texts[] = "tier\0gold\0iron\0name";
const volatile unsigned short policy_tables[256 + 2 + 4] = { [257] = 1, [258] = 1, [260] = 1 };
const volatile char policy_classes[] = "`default`\0rule `poller` (seed.gpl:12)";
const volatile u64 tick_ns;

const volatile u64 ops_flag_SCX_OPS_ENQ_LAST;

struct {
	u64 quantum;
	unsigned int heft;
} params SEC(".data.params");
struct gthulhu_exit exit_report SEC(".data.exit");
struct {
	u64 nr;
} cpus[1] SEC(".data.cpus");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, unsigned int);
	__type(value, u64);
} percpu_marks SEC(".maps");

SEC("struct_ops")
int seed_callback(void *context)
{
	unsigned int key = 0;
	u64 *mark = bpf_map_lookup_elem(&percpu_marks, &key);

	if (mark)
		*mark += params.quantum + nr_cpus + tick_ns + kernel_SCX_DSQ_LOCAL +
			ops_flag_SCX_OPS_ENQ_LAST + cpus[0].nr + policy_ids[0];
	exit_report.kind = params.heft;
	return 0;
}

SEC("?fentry/seed_function")
int gthulhu_fentry_0(void *context)
{
	return 0;
}

SEC("?kprobe/seed_function")
int gthulhu_kprobe_0(void *context)
{
	return 0;
}

SEC(".struct_ops.link")
struct sched_ext_ops gthulhu = {
	.select_cpu = (void *)seed_callback,
	.enqueue = (void *)seed_callback,
	.foresee = (void *)seed_callback,
	.init = (void *)seed_callback,
	.exit = (void *)seed_callback,
	.foresight = 42,
	.name = "seed",
};
