/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a policy object and its loader agree on. Included by both: by generated
 * BPF C and by runtime/.
 *
 * Beside the structures below, the loader knows these names in an object:
 *
 *   kernel_NAME        u64 in .rodata: set to the value of the enumerator NAME
 *                      of the running kernel's BTF, 0 where it has none
 *   ops_flag_NAME      the same, and or-ed into the flags of the struct_ops
 *   nr_cpus            u32 in .rodata: set to the number of possible CPUs
 *   .data.cpus         an array with one element, alone in its section, resized
 *                      to nr_cpus elements
 *   percpu_NAME        a map that gets nr_cpus entries
 *   policy             struct gthulhu_policy in .rodata
 *   policy_pins        struct gthulhu_pin[] in .rodata; the CPUs of their groups
 *                      are added to those that they list
 *   policy_ids         u32[] in .rodata: set to the numbers of the users and
 *                      groups in policy_id_names, struct gthulhu_id[] in .rodata
 *   policy_tunables    struct gthulhu_tunable[] in .rodata; a value other than the
 *                      initial one is written to each of its places
 *   policy_places      struct gthulhu_place[] in .rodata: those places, in
 *                      variables of .data.params, which is never read at once:
 *                      they may be written while the scheduler runs, too
 *   policy_questions   struct gthulhu_question[] in .rodata: what the policy asks about
 *                      labels; their strings are in policy_texts, and policy_tables
 *                      has an automaton for each that asks for a pattern: u16
 *                      column[256], accepts[nr_states], next_state[nr_states][nr_columns]
 *   process_labels, label_sets, cgroup_labels
 *                      maps in which the loader gives the answers, see templates/facts.j2;
 *                      the first one is shared by all objects that a loader loads
 *   gthulhu_relabel    a program iter/task that classifies tasks again; it is not attached
 *   gthulhu_fentry_N, gthulhu_kprobe_N
 *                      two programs for the Nth kernel function that the policy asks about, whose
 *                      name is in their sections'; the loader loads and attaches one of them
 *   gthulhu_module_load, gthulhu_module_free
 *                      loaded where a kprobe is: they write to module_events, a ring buffer, when a
 *                      module comes or goes, and the loader attaches the kprobes again
 *   tick_ns            u64 in .rodata beside these: set to the length of a tick of the kernel's
 *   policy_classes     char[] in .rodata: for each class, whose it is, as a message
 *                      is to call it; each text ends with a 0
 *   task_ctxs          task storage whose value is a struct task_ctx, in which
 *                      `class` is the number of the task's class
 *   exit_report        struct gthulhu_exit in .data.exit, filled by ops.exit,
 *                      its kind last
 *   class_stats        a per-CPU array, one for each class: of struct
 *                      gthulhu_class_counters in objects that count, else of struct
 *                      gthulhu_class_stats where the policy has a rule with `monitor`
 *   gthulhu            the struct_ops map (.struct_ops.link); members that the
 *                      running kernel does not have are cleared, and
 *                      hotplug_seq is set
 *
 * All other programs that libbpf can attach by their section's name are
 * attached before the scheduler is enabled; SEC("?...") says not to. An object
 * with a function in .ksyms whose description in the kernel's BTF is malformed
 * is refused.
 *
 *   .gthulhu           an ELF section with the policy's metadata as JSON; for
 *                      `gthulhu inspect`, the loader does not read it
 */
#ifndef GTHULHU_ABI_H
#define GTHULHU_ABI_H

#define GTHULHU_ABI_VERSION 2

enum gthulhu_limits {
	GTHULHU_NAME_LEN = 64,
	GTHULHU_FILE_LEN = 128,
	GTHULHU_VARIABLE_LEN = 36,
	GTHULHU_EXIT_REASON_LEN = 128,
	GTHULHU_EXIT_MSG_LEN = 1024,
	GTHULHU_EXIT_DUMP_LEN = 32768,
	GTHULHU_PIN_WORDS = 16,
	GTHULHU_PIN_GROUPS = 8,
	GTHULHU_LABEL_SETS = 4096, /* different sets of labels that processes may have */
	GTHULHU_LABELLED_CGROUPS = 16384,
};

/* Who the object is and what it needs, checked before it is loaded. */
struct gthulhu_policy {
	unsigned int abi_version; /* GTHULHU_ABI_VERSION */
	unsigned int kernel_min; /* major << 16 | minor << 8, 0: no wish */
	unsigned int nr_pins; /* elements of policy_pins that count */
	unsigned int nr_ids; /* elements of policy_ids and policy_id_names */
	unsigned int nr_tunables;
	unsigned int nr_places;
	char name[GTHULHU_NAME_LEN];
	char file[GTHULHU_FILE_LEN]; /* base name of the source */
};

/* CPUs that only the machine can tell. */
enum gthulhu_group_kind {
	GTHULHU_GROUP_NODE, /* of the memory node with that number */
	GTHULHU_GROUP_LLC, /* that share a last-level cache, counted from 0 by their first CPUs */
	GTHULHU_GROUP_FAST, /* that are as fast as the fastest, or nearly */
	GTHULHU_GROUP_SLOW, /* the same for the slowest; all, where all are alike */
};

struct gthulhu_group {
	unsigned int kind;
	unsigned int number;
};

/* A rule that names CPUs: at least one of them must be online, unless they are preferred only. */
struct gthulhu_pin {
	unsigned int line; /* of `cpus` in the source, or of the rule that prefers them */
	unsigned int nr_words; /* of cpus that are used without the groups */
	unsigned int nr_groups;
	unsigned int is_preference;
	unsigned int is_exclusive; /* all pins that are leave others a CPU that is online */
	unsigned int pad;
	struct gthulhu_group groups[GTHULHU_PIN_GROUPS];
	char rule[GTHULHU_NAME_LEN];
	unsigned long long cpus[GTHULHU_PIN_WORDS]; /* bitmap, CPU 0 is bit 0 of word 0 */
};

/* The name of a user or group whose number is looked up. */
struct gthulhu_id {
	unsigned int line; /* where the source asks for it */
	unsigned int is_group;
	char name[GTHULHU_NAME_LEN];
};

/* What a question is about, and what it asks of it. */
enum gthulhu_subject {
	GTHULHU_LABEL,
	GTHULHU_NAMESPACE,
	GTHULHU_POD,
	GTHULHU_CONTAINER,
	GTHULHU_NR_SUBJECTS,
};

enum gthulhu_asks {
	GTHULHU_HAS, /* it is there */
	GTHULHU_IS, /* it is one of the values */
	GTHULHU_MATCHES, /* the automaton accepts it */
};

/* A question about labels, whose answer is a bit. */
struct gthulhu_question {
	unsigned int line; /* where the source asks it first */
	unsigned int bit;
	unsigned int subject;
	unsigned int asks; /* enum gthulhu_asks */
	unsigned int
		text; /* of policy_texts: where the key of the label is, and the values behind */
	unsigned int nr_values;
	unsigned int table; /* where the automaton begins in policy_tables */
	unsigned int nr_states; /* 0: there is none */
	unsigned int nr_columns;
};

/* A value that may be changed, in nanoseconds or a plain number. */
struct gthulhu_tunable {
	unsigned long long initial;
	unsigned long long low;
	unsigned long long high;
	unsigned int line; /* of its definition */
	unsigned int is_duration;
	char name[GTHULHU_NAME_LEN];
};

/* Where the value of a tunable goes. */
struct gthulhu_place {
	unsigned int tunable; /* its number in policy_tunables */
	unsigned int size; /* 4 or 8 bytes */
	unsigned int offset; /* in the variable */
	char variable[GTHULHU_VARIABLE_LEN];
};

/* What a rule with `monitor` would have taken; the sum over the CPUs means something. */
struct gthulhu_class_stats {
	unsigned long long entered; /* tasks that came; less those that left: are there now */
	unsigned long long left;
	unsigned long long ran_ns;
};

/* Histograms of times, by powers of two. */
enum gthulhu_histogram {
	GTHULHU_FIRST_BUCKET_BITS = 10, /* bucket 0 counts what is below 2^10 ns */
	GTHULHU_BUCKETS = 24, /* each next one twice that; the last one all that is longer */
};

/* How long tasks waited for a CPU. */
struct gthulhu_waits {
	unsigned long long ns;
	unsigned long long buckets[GTHULHU_BUCKETS];
};

/* What the tasks of a class did, and what happened to them. Sums over the CPUs mean something. */
struct gthulhu_class_counters {
	struct gthulhu_class_stats tasks; /* first: of a rule with `monitor`, it is all there is */
	unsigned long long cut_slices; /* runs that ended before the slice had, by others' doing */
	unsigned long long preemptions; /* tasks that were interrupted, by one of the class, */
	unsigned long long preempted; /* and of the class */
	unsigned long long migrations; /* runs on another CPU than the run before */
	unsigned long long conflicts; /* affinities that have none of the rule's CPUs, and win */
	unsigned long long rescues; /* runs that came by `max-wait` */
	struct gthulhu_waits woken; /* from a wake-up until the task ran, */
	struct gthulhu_waits put_off; /* and where it had run before, or is new */
};

/* Why the kernel let the scheduler go: the fields of struct scx_exit_info. */
struct gthulhu_exit {
	int kind; /* enum scx_exit_kind; 0 while the scheduler is in force */
	int pad;
	long long exit_code;
	char reason[GTHULHU_EXIT_REASON_LEN];
	char msg[GTHULHU_EXIT_MSG_LEN];
	char dump[GTHULHU_EXIT_DUMP_LEN];
};

#endif /* GTHULHU_ABI_H */
