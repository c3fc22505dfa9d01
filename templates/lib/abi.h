/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contract between a policy object and its loader. Both include it: generated
 * BPF C and runtime/.
 *
 * Besides the structures below, the loader uses these names in an object:
 *
 *   kernel_NAME        u64 in .rodata: set to the value of the enumerator NAME in
 *                      the running kernel's BTF, 0 if the kernel has none
 *   ops_flag_NAME      the same; also or-ed into the flags of the struct_ops
 *   counts_cgroups     bool in .rodata: set if the kernel tells a scheduler of cgroups, and
 *                      cgroups of this machine have the cpu controller. Otherwise the loader leaves
 *                      out the programs gthulhu_cgroup_NAME and the maps .bss.cgroup_NAME.
 *                      Objects without it count cgroups in any case, or never
 *   cgroup_flag_NAME   as ops_flag_NAME, where counts_cgroups is set
 *   nr_cpus            u32 in .rodata: set to the number of possible CPUs
 *   nr_cells           u32 in .rodata: set to the number of cells, see runtime/machine/cells.h
 *   cpu_cells          u8[GTHULHU_CPUS_MAX] in .rodata: set to the cell of each CPU
 *   cell_nodes         u16[GTHULHU_CELLS_MAX] in .rodata: set to the NUMA node of each cell
 *   cell_flag_NAME     as ops_flag_NAME, where nr_cells is 1
 *   cpu_siblings       u16[GTHULHU_CPUS_MAX] in .rodata: set to the next thread of each CPU's core,
 *                      in a circle
 *   has_siblings       bool in .rodata: set if a core has several threads, and nr_cells is not 1
 *   near_cells         u64[GTHULHU_CELLS_MAX] in .rodata: set to the cells in the same NUMA node as
 *                      each one, as bits
 *   .data.cpus         an array with one element, alone in its section, resized
 *                      to nr_cpus elements
 *   percpu_NAME        a map that is resized to nr_cpus entries
 *   policy             struct gthulhu_policy in .rodata
 *   policy_pins        struct gthulhu_pin[] in .rodata; the loader adds the CPUs of
 *                      their groups to those that they list. If a group is by interrupts: in
 *                      .data.pins, where the loader writes them anew when interrupts move, and then
 *                      runs gthulhu_follow
 *   policy_interrupts  char[][GTHULHU_NAME_LEN] in .rodata: names of interrupts, as globs
 *   policy_ids         u32[] in .rodata: set to the numbers of the users and
 *                      groups in policy_id_names, struct gthulhu_id[] in .rodata
 *   policy_tunables    struct gthulhu_tunable[] in .rodata; the loader writes a value
 *                      other than the initial one to each of its places
 *   policy_places      struct gthulhu_place[] in .rodata: those places, in variables of
 *                      .data.params. The scheduler never reads several of them together,
 *                      so the loader may also write them while it runs
 *   policy_questions   struct gthulhu_question[] in .rodata: the questions of the policy
 *                      about labels; their strings are in policy_texts, and policy_tables
 *                      has an automaton for each question about a pattern: u16
 *                      column[256], accepts[nr_states], next_state[nr_states][nr_columns]
 *   process_labels, label_sets, cgroup_labels
 *                      maps that the loader writes the answers to, see templates/facts.j2;
 *                      all objects of a loader share the first one
 *   gthulhu_follow     a program of type syscall: the CPUs in policy_pins take effect
 *   gthulhu_relabel    a program iter/task that reclassifies tasks; it is not attached
 *   gthulhu_fentry_N, gthulhu_kprobe_N
 *                      two programs for the Nth kernel function that the policy asks about; the
 *                      names of their sections contain its name; the loader loads one of them
 *   gthulhu_module_load, gthulhu_module_free
 *                      loaded together with a kprobe: they write to module_events, a ring buffer,
 *                      when a module comes or goes, and the loader reattaches the kprobes
 *   tick_ns            u64 in .rodata of such objects: set to the length of the kernel's tick
 *   policy_classes     char[] in .rodata: the owner of each class, as messages name it;
 *                      each text ends with a 0
 *   policy_guarantees  struct gthulhu_guarantee[] in .rodata: the loader warns of those for which the
 *                      machine has too few CPUs, or whose cgroup has a lower limit
 *   policy_whens, policy_states, policy_changes
 *                      struct gthulhu_when[], gthulhu_state[] and gthulhu_change[] in .rodata:
 *                      conditions on the machine. When one begins or ceases to hold, the loader
 *                      writes the changed members of class_params, a variable of .data.params.
 *                      It may do so at any time, as with policy_places
 *   task_ctxs          task storage whose value is a struct task_ctx, in which
 *                      `class` is the number of the task's class
 *   exit_report        struct gthulhu_exit in .data.exit, filled by ops.exit,
 *                      which writes its kind last
 *   class_stats        a per-CPU array with an entry for each class: struct
 *                      gthulhu_class_counters in objects with counters, otherwise struct
 *                      gthulhu_class_stats if the policy has a rule with `monitor`
 *   policy_counted     u32[] in .rodata: the classes that count; not there: all
 *   group_entries      a map of objects that count by cgroups; without counts_cgroups they need a
 *                      kernel that tells of cgroups
 *   .bss.limit_uses, .bss.cgroup_limit_uses
 *                      in objects that keep cgroups' limits, an array of struct
 *                      gthulhu_limit_use; it is alone in its section
 *   policy_promises, policy_claims
 *                      struct gthulhu_promise[] and struct gthulhu_claim[] in .rodata
 *   claim_waits        a per-CPU array of u64 with an entry for each claim: the waits at or
 *                      beyond its bound. For `<` and `>=` a wait equal to it is beyond it
 *   gthulhu            the struct_ops map (.struct_ops.link); the loader clears members that
 *                      the running kernel lacks, and sets hotplug_seq
 *
 * Before the loader enables the scheduler, it attaches all other programs that libbpf can
 * attach by the name of their section, except SEC("?..."). It refuses an object with a
 * function in .ksyms whose description in the kernel's BTF is malformed.
 *
 *   .gthulhu           an ELF section with the policy's metadata as JSON, for
 *                      `gthulhu inspect`; the loader does not read it
 */
#ifndef GTHULHU_ABI_H
#define GTHULHU_ABI_H

#define GTHULHU_ABI_VERSION 3

enum gthulhu_limits {
	GTHULHU_NAME_LEN = 64,
	GTHULHU_FILE_LEN = 128,
	GTHULHU_VARIABLE_LEN = 36,
	GTHULHU_EXIT_REASON_LEN = 128,
	GTHULHU_EXIT_MSG_LEN = 1024,
	GTHULHU_EXIT_DUMP_LEN = 32768,
	GTHULHU_CLAIM_LEN = 128,
	GTHULHU_WHEN_LEN = 128,
	GTHULHU_CGROUP_LEN = 512,
	GTHULHU_PIN_WORDS = 16,
	GTHULHU_CPUS_MAX = 64 * GTHULHU_PIN_WORDS,
	GTHULHU_CELLS_MAX = 64, /* bits of a word */
	GTHULHU_PIN_GROUPS = 8,
	GTHULHU_LABEL_SETS = 4096, /* limit of different sets of labels of processes */
	GTHULHU_LABELLED_CGROUPS = 16384,
	GTHULHU_SHOWN_LIMITS = 1024, /* limit of cgroups in an answer */
};

/* The identity and the requirements of the object, checked before it is loaded. */
struct gthulhu_policy {
	unsigned int abi_version; /* GTHULHU_ABI_VERSION */
	unsigned int kernel_min; /* major << 16 | minor << 8; 0: any kernel */
	unsigned int nr_pins; /* used elements of policy_pins */
	unsigned int nr_ids; /* used elements of policy_ids and policy_id_names */
	unsigned int nr_tunables;
	unsigned int nr_places;
	char name[GTHULHU_NAME_LEN];
	char file[GTHULHU_FILE_LEN]; /* base name of the source */
};

/* Groups of CPUs that differ between machines. */
enum gthulhu_group_kind {
	GTHULHU_GROUP_NODE, /* the CPUs of the memory node with that number */
	GTHULHU_GROUP_LLC, /* that share a last-level cache; from 0, by their first CPUs */
	GTHULHU_GROUP_FAST, /* at least nearly as fast as the fastest */
	GTHULHU_GROUP_SLOW, /* the same for the slowest; all CPUs if they do not differ */
	/* As many CPUs as the number says, near each other: */
	GTHULHU_GROUP_ANY,
	GTHULHU_GROUP_OF_LLC, /* all with the same last-level cache */
	GTHULHU_GROUP_OF_NODE, /* all in the same memory node */
	/* By interrupts; the number is that of a name in policy_interrupts: */
	GTHULHU_GROUP_IRQ, /* the CPUs that serve one with such a name */
	GTHULHU_GROUP_NOT_IRQ, /* the others; a pin has no groups beside these */
	/* The other threads of the cores of the pin with that number, in a pin of their own: */
	GTHULHU_GROUP_SIBLINGS,
};

struct gthulhu_group {
	unsigned int kind;
	unsigned int number;
};

/* A rule that names CPUs. At least one must be online, unless the rule only prefers them. */
struct gthulhu_pin {
	unsigned int line; /* of `cpus` in the source, or of the rule that prefers them */
	unsigned int nr_words; /* used words of cpus, without the groups */
	unsigned int nr_groups;
	unsigned int is_preference;
	unsigned int is_exclusive; /* exclusive pins leave an online CPU to other rules */
	unsigned int pad;
	struct gthulhu_group groups[GTHULHU_PIN_GROUPS];
	char rule[GTHULHU_NAME_LEN];
	unsigned long long cpus[GTHULHU_PIN_WORDS]; /* bitmap, CPU 0 is bit 0 of word 0 */
};

/* A user or group whose number the loader looks up. */
struct gthulhu_id {
	unsigned int line; /* where the source asks for it */
	unsigned int is_group;
	char name[GTHULHU_NAME_LEN];
};

/* The subject of a question, and the kind of question. */
enum gthulhu_subject {
	GTHULHU_LABEL,
	GTHULHU_NAMESPACE,
	GTHULHU_POD,
	GTHULHU_CONTAINER,
	GTHULHU_NR_SUBJECTS,
};

enum gthulhu_asks {
	GTHULHU_HAS, /* the subject exists */
	GTHULHU_IS, /* it is one of the values */
	GTHULHU_MATCHES, /* the automaton accepts it */
};

/* A question about labels. Its answer is a bit. */
struct gthulhu_question {
	unsigned int line; /* where the source asks it first */
	unsigned int bit;
	unsigned int subject;
	unsigned int asks; /* enum gthulhu_asks */
	unsigned int text; /* offset in policy_texts: the key of the label, then the values */
	unsigned int nr_values;
	unsigned int table; /* offset of the automaton in policy_tables */
	unsigned int nr_states; /* 0: no automaton */
	unsigned int nr_columns;
};

/* How a tunable's value is written and stored. */
enum gthulhu_unit {
	GTHULHU_NUMBER,
	GTHULHU_NS, /* written as a duration */
	GTHULHU_PERMILLE, /* written in percent */
	GTHULHU_NR_UNITS,
};

/* A value that an operator may change. */
struct gthulhu_tunable {
	unsigned long long initial;
	unsigned long long low;
	unsigned long long high;
	unsigned int line; /* of its definition */
	unsigned int unit; /* enum gthulhu_unit */
	char name[GTHULHU_NAME_LEN];
};

/* A place that holds the value of a tunable. */
struct gthulhu_place {
	unsigned int tunable; /* index in policy_tunables */
	unsigned int size; /* 4 or 8 bytes */
	unsigned int offset; /* in the variable, in bytes */
	char variable[GTHULHU_VARIABLE_LEN];
};

/* The question of a step of a condition, or how the step joins the one or two results before it. */
enum gthulhu_asks_machine {
	GTHULHU_NOT,
	GTHULHU_AND,
	GTHULHU_OR,
	GTHULHU_PRESSURE, /* on a resource, above `low` thousandths, over a time */
	GTHULHU_POWER, /* the profile is number `low` */
	GTHULHU_BATTERY, /* the charge is below `high` thousandths */
	GTHULHU_ON_BATTERY,
	GTHULHU_TIME, /* local, from minute `low` of the day, to before minute `high` */
	GTHULHU_NR_STATES,
};

enum gthulhu_profile {
	GTHULHU_SAVER,
	GTHULHU_BALANCED,
	GTHULHU_PERFORMANCE,
	GTHULHU_NR_PROFILES,
};

enum gthulhu_resource {
	GTHULHU_CPU,
	GTHULHU_MEMORY,
	GTHULHU_IO,
	GTHULHU_NR_RESOURCES,
};

/* A step of a condition. */
struct gthulhu_state {
	unsigned long long over_ns;
	unsigned int asks; /* enum gthulhu_asks_machine */
	unsigned int of; /* enum gthulhu_resource */
	unsigned int low;
	unsigned int high;
};

/* A condition on the machine: steps in postfix order. */
struct gthulhu_when {
	unsigned int line; /* in the source */
	unsigned int first; /* index in policy_states */
	unsigned int nr_states;
	char text[GTHULHU_WHEN_LEN]; /* as in the source */
};

/* The value of a member of class_params. Of those of one member, the last that holds decides. */
struct gthulhu_change {
	unsigned long long value;
	unsigned int when; /* 1 + index in policy_whens; 0: it always holds */
	unsigned int tunable; /* 1 + the number of the tunable that is the value; 0: none */
	unsigned int size; /* 4 or 8 bytes, or 1 */
	unsigned int offset; /* in class_params, in bytes */
};

/* The reaction to a broken promise. */
enum gthulhu_else {
	GTHULHU_ELSE_LOG,
	GTHULHU_ELSE_ROLLBACK,
	GTHULHU_ELSE_EEVDF,
};

/* A promise: claims that the loader judges at the end of each window. */
struct gthulhu_promise {
	unsigned long long window_ns;
	unsigned int line; /* in the source */
	unsigned int otherwise; /* enum gthulhu_else */
	char rule[GTHULHU_NAME_LEN];
};

enum gthulhu_statistic {
	GTHULHU_QUANTILE, /* `part` of the waits is at most this long */
	GTHULHU_MEAN,
	GTHULHU_SHARE, /* of all CPU time */
};

/* A claim about a window: that a statistic of a class is below its bound, or above it. */
struct gthulhu_claim {
	unsigned long long bound; /* ns, or thousandths of all CPU time */
	unsigned int tunable; /* 1 + the number of the tunable that is the bound; 0: none */
	unsigned int promise; /* index in policy_promises */
	unsigned int line;
	unsigned int class;
	unsigned int statistic; /* enum gthulhu_statistic */
	unsigned int part; /* thousandths; 1000: the longest wait */
	unsigned int is_woken; /* only waits after a wake-up count */
	unsigned int is_above; /* the statistic has to be above the bound */
	unsigned int is_equal; /* or equal to it */
	unsigned int pad;
	char text[GTHULHU_CLAIM_LEN]; /* as in the source */
};

/*
 * The part of its CPUs that a class has at least. All its tasks are in the cgroup, or below it. The
 * path is empty if there is no such cgroup, or if limits of cgroups do not count.
 */
struct gthulhu_guarantee {
	unsigned int class;
	unsigned int low; /* thousandths */
	unsigned int pin; /* 1 + index in policy_pins; 0: all CPUs that are exclusive to no rule */
	char cgroup[GTHULHU_CGROUP_LEN];
};

/* Counters of a rule with `monitor`. Only the sum over the CPUs is meaningful. */
struct gthulhu_class_stats {
	unsigned long long entered; /* entered - left: tasks in the class now */
	unsigned long long left;
	unsigned long long ran_ns;
};

/* Histograms of times, by powers of two. */
enum gthulhu_histogram {
	GTHULHU_FIRST_BUCKET_BITS = 10, /* bucket 0 counts times below 2^10 ns */
	GTHULHU_BUCKETS = 24, /* each further bucket doubles the bound; the last one has no bound */
};

/* How long tasks waited for a CPU. */
struct gthulhu_waits {
	unsigned long long ns;
	unsigned long long buckets[GTHULHU_BUCKETS];
};

/* Counters of the tasks of a class. Only sums over the CPUs are meaningful. */
struct gthulhu_class_counters {
	struct gthulhu_class_stats tasks; /* first: a rule with `monitor` has only these */
	unsigned long long cut_slices; /* runs that others ended before the end of the slice */
	unsigned long long preemptions; /* interruptions of other tasks by tasks of the class */
	unsigned long long preempted; /* interruptions of tasks of the class */
	unsigned long long migrations; /* runs on another CPU than the run before */
	unsigned long long conflicts; /* affinities outside the rule's CPUs; the affinity wins */
	unsigned long long rescues; /* runs because of `max-wait` */
	struct gthulhu_waits woken; /* waits after a wake-up */
	struct gthulhu_waits put_off; /* waits of a task that had run before, or is new */
};

/* A cgroup with a limit: what the kernel counts in cpu.stat where it keeps the limit itself. */
struct gthulhu_limit_use {
	unsigned long long cgroup; /* its id */
	unsigned long long quota_ns; /* 0: it has no limit */
	unsigned long long period_ns;
	unsigned long long periods; /* in which tasks ran, or waited for quota */
	unsigned long long throttled_periods; /* at whose end tasks waited for quota */
	unsigned long long throttled_ns; /* for how long at least one task did */
	unsigned long long bursts; /* periods that used more than the quota */
	unsigned long long burst_ns; /* by so much together */
};

/* Why the kernel disabled the scheduler: the fields of struct scx_exit_info. */
struct gthulhu_exit {
	int kind; /* enum scx_exit_kind; 0 while the scheduler is in force */
	int pad;
	long long exit_code;
	char reason[GTHULHU_EXIT_REASON_LEN];
	char msg[GTHULHU_EXIT_MSG_LEN];
	char dump[GTHULHU_EXIT_DUMP_LEN];
};

#endif /* GTHULHU_ABI_H */
