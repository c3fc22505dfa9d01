/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small machine on which a generated scheduler runs as an ordinary program,
 * watched by sanitizers. Its rules are those of the kernel's sched_ext (6.16 to
 * 7.2): when which callback is called, what queues do, what a kick does. Time
 * is virtual, and the same scenario gives the same run.
 *
 *   event.c     what happens when
 *   queue.c     dispatch queues, and the functions that fill and drain them
 *   order.c     the order of a queue by key
 *   iterate.c   going through a queue, and moving tasks between queues
 *   task.c      a task's way: woken, queued, run, asleep
 *   cpu.c       a CPU's way: what it picks, puts and runs
 *   idle.c      idle CPUs: which they are, how they are picked and kicked
 *   topology.c  caches, nodes, cores and speeds of CPUs
 *   mask.c      sets of CPUs
 *   cpumask.c   the kernel's functions for them, and the sets that the scheduler makes
 *   reference.c references that have to be given back, and sections that have to be left
 *   memory.c    maps, storage, timers
 *   work.c      what a task does on its way back to its program
 *   cgroup.c    cgroups: weights, quotas
 *   process.c   processes: fork, exit
 *   script.c    tasks that fork, exec, exit and change themselves
 *   replay.c    tasks that do again what a record says they did
 *   sync.c      mutexes, conditions, barriers and semaphores that tasks wait for
 *   change.c    names, cgroups, affinity, nice, users
 *   object.c    what the loader does: constants, programs, enabling
 *   facts.c     facts about labels, and what they answer
 *   labels.c    labels of cgroups and tasks, which it does, too
 *   check.c     the invariants, after each event
 *   cost.c      what the kernel's and the scheduler's own work costs, if it does
 *   line.c      lines of memory that CPUs take from each other
 *   lock.c      locks, and how long CPUs wait for them
 *   calendar.c  when a line is on its way, and when a lock is held
 *   account.c   the costs of lines and locks, by name
 *   variable.c  the scheduler's variables, by address
 *   access.c    the scheduler's accesses to memory, as its compiler reports them
 *   strand.c    events that are put aside in the middle, and what belongs to one at a time
 *   figures.c   what a simulation prints: waits and CPU time of groups of tasks
 *   timeline.c  what it prints of a timeline: switches and wake-ups
 *   scenario.c  the text that says what happens when
 *   words.c     the words of a line of it
 *
 * A function of the kernel that is not here is named when the scheduler is loaded.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.bpf.h"
#include "compat.bpf.h"
#include "mask.h"
#include "call.h"

enum {
	MAX_CLASSES = 64,
	MAX_GROUPS = 256, /* of tasks whose figures are printed */
	MAX_DISPATCHED = 32, /* insertions by one ops.dispatch */
	FULL_SPEED = 1024, /* of the fastest CPUs, as the kernel counts capacity */
	TICK_NS = 4000000,
	SLICE_DFL_NS = 20000000,
};

#define FOREVER (~0ULL) /* a slice or a burst without end */
#define EPOCH_NS 1000000000ULL /* when the scenario begins: clocks do not begin at 0 */

/* The kernel's constants; what the scheduler uses of them, object.c gives it by name. */
#define DSQ_BUILTIN (1ULL << 63)
#define DSQ_INVALID DSQ_BUILTIN
#define DSQ_GLOBAL (DSQ_BUILTIN | 1)
#define DSQ_LOCAL (DSQ_BUILTIN | 2)
#define DSQ_LOCAL_ON (DSQ_BUILTIN | 1ULL << 62)
#define ENQ_WAKEUP 1ULL
#define ENQ_RESTORE 2ULL
#define ENQ_HEAD 0x10ULL
#define ENQ_INITIAL 0x80ULL
#define ENQ_CPU_SELECTED (1ULL << 10)
#define ENQ_PREEMPT (1ULL << 32)
#define ENQ_REENQ (1ULL << 40)
#define ENQ_LAST (1ULL << 41)
#define MIGRATING (1ULL << 62) /* task_on_rq_migrating, for enqueue_task and dequeue_task */
#define DEQ_SLEEP 1ULL
#define DEQ_SAVE 2ULL
#define BY_KEY (1ULL << 57) /* SCX_ENQ_DSQ_PRIQ */
#define OPS_KEEP_IDLE (1ULL << 0)
#define OPS_ENQ_LAST (1ULL << 1)
#define OPS_ENQ_EXITING (1ULL << 2)
#define OPS_ENQ_MIGRATION_DISABLED (1ULL << 4)
#define OPS_IDLE_PER_NODE (1ULL << 6)
#define PICK_IDLE_CORE 1ULL
#define KICK_IDLE 1ULL
#define KICK_PREEMPT 2ULL
#define TASK_QUEUED 1U
#define WAKE_FORK 4ULL
#define WAKE_TTWU 8ULL
#define WAKE_SYNC 16ULL
#define CLONE_VFORK 0x4000ULL
#define EXITING 4U /* PF_EXITING of task_struct.flags */

/* ---- event.c ---- */

struct event {
	u64 at_ns;
	u64 order;
	void (*happen)(struct event *e);
	u32 place; /* in the heap */
	struct cpu *where; /* whose work it is: it happens when that is ready; NULL: at its time */
	bool pending;
};

#define container(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

extern u64 now_ns;
extern u64 event_ns; /* when the event began that happens; now_ns goes on while it costs time */
void post(struct event *e, u64 at_ns);
void cancel(struct event *e);
bool happen_next(u64 until_ns);
void happen_next_that_goes_on(void);
u64 next_event_ns(void);
extern u64 nr_events;
void forget_events(void);
u64 random_below(u64 limit);

/* From then until now; 0 if another CPU's work, which is seen as a whole, ends later than now. */
static inline u64 time_since(u64 then_ns)
{
	return now_ns > then_ns ? now_ns - then_ns : 0;
}

void seed_random(u64 seed);

/* Prints to standard error with MACHINE_TRACE=1, to look for a cause. */
__attribute__((format(printf, 1, 2))) void trace(const char *format, ...);

/* Something that one CPU at a time may hold, and the line that it is in; cost.h has its functions. */
struct lock {
	struct line *line;
};

/* ---- queue.c ---- */

struct task;

struct queue {
	u64 id;
	struct scx_dispatch_q k; /* what the scheduler sees */
	struct lock lock; /* of one that is not local */
	struct task *first, *last;
	u32 nr;
	bool by_key; /* of the tasks that are in it; then order.c has their places, */
	struct place *places; /* these, of which the first may be free */
	u32 first_place, max_places;
	struct queue *next;
};

/* ---- task.c, cpu.c ---- */

struct storage;

/* The policy's promises to the tasks of a class, from the scenario. */
struct promise {
	struct cpu_set cpus; /* on which they may run, those exclusive to others left out */
	u64 eager; /* no CPU is idle while it waits: 0 one may be, 1 none of its cell, 2 none at all */
	u64 slice_ns; /* the longest */
	u64 wait_ns; /* the longest, 0: none is known */
	u64 after_ns; /* how long whom they interrupt has run first */
};

/* Something that one fine event at a time may have. */
struct guard {
	struct strand *holder, *first; /* NULL: it is free, none waits */
	u32 depth; /* how often the holder has it */
	u64 free_ns; /* since when it is the holder's, or free */
};

struct task {
	struct task_struct k; /* what the scheduler sees */
	struct task *next, *prev; /* in its queue */
	struct task *other; /* in the list of all tasks */
	struct queue *queue; /* where it waits */
	u64 insertion, queued_ns; /* number of its last insertion, and when it was */
	u64 queued_key; /* dsq_vtime as it was then */
	u64 asked_ns; /* when the scheduler was last asked where it waits */
	s32 cpu; /* on which it runs, ran, or is to run */
	struct cpu_set affinity; /* its own */
	bool pinned; /* migration is disabled, */
	u32 pin; /* and this is its only CPU */
	bool enables_migration; /* as soon as it runs */
	struct cpu_set mask; /* what the scheduler sees of these two */
	struct cred cred;
	struct css_set css;
	struct signal_struct signal; /* of a process */
	struct task *parent, *leader; /* as it is, while a fork may not show it yet */
	struct storage *storage;
	bool known; /* the scheduler has initialised it */
	bool forgotten; /* it has lost its storage, and its class with it */
	bool gone;

	u64 direct_dsq,
		direct_flags; /* ENQ_..., BY_KEY; where it was inserted by select_cpu or enqueue */
	bool in_custody; /* handed to the scheduler, not in any queue */
	u64 gap_ns; /* between its next enqueue and its insertion: its CPU's host takes that away */
	struct event insert; /* at the end of the gap */

	/* Its behaviour: run for burst_ns, then sleep, a number of times. */
	u64 burst_ns, sleep_ns, left_ns;
	struct task *partner; /* is woken at the end of each burst */
	struct event burst, alarm;
	bool woken; /* and has not run since, */
	bool synced; /* by one that said that it is about to sleep */
	bool kill; /* to exit when it runs next */
	bool in_kernel; /* in the middle of a system call */
	bool on_way_out; /* of it: as interrupted there it counts all the same */
	struct bpf_task_work *work; /* that it has to do on its way out; NULL: none */
	return_callback *work_callback;
	struct event returns; /* to its program */
	const struct script *script; /* instead of burst_ns and sleep_ns; NULL: none */
	u32 step; /* of it, that is next */
	u64 *progress; /* by step: how often it was repeated, or when its timer expires */
	struct replayed *replayed; /* it follows a course instead; NULL: none */
	u64 begun_ns; /* when it took its first step; 0: not yet */
	u64 until_ns; /* it sleeps, 0: for sleep_ns or so */
	struct guard guard; /* while it is woken */
	struct task *next_waiting; /* for the same object, see sync.c */
	u32 nr_given; /* wake-ups that it has not taken yet */
	bool takes; /* sleeps until it is given one */
	struct task
		*family; /* its forebear in the scenario, which gets its figures; NULL: itself */
	struct task *vforked_by; /* who sleeps until it executes another program, or exits */

	/* State of check.c. */
	s32 class; /* that it should have, -1: none is known */
	s32 other_class; /* that it has in its other mood: it begins or ceases to sleep often */
	u64 legal_since_ns; /* when that, or its affinity, last changed */
	u64 told_ns; /* when it last told of something itself, at a tracepoint */
	u64 since_ns; /* when it began to wait */
	u64 released_ns; /* when it was last no longer set aside for its cgroup's quota */
	u64 started_ns; /* when it began to run */
	u64 wait_ns, max_wait_ns, max_run_ns, nr_waits, bursts;
	u64 *ran_ns; /* on each CPU */
	struct group *watched; /* NULL: its figures are not printed */
	u32 autogroup; /* tasks of a session, for controls that have such groups; 0: none */
};

/* By ops.dispatch; it takes effect when that returns. */
struct insertion {
	struct task *p;
	u64 dsq, flags;
	bool by_key;
};

struct cpu {
	s32 id;
	u32 llc, node; /* numbers of the groups that it belongs to, which topology.c has */
	struct cpu *sibling; /* the next of its core, or itself */
	u32 speed; /* FULL_SPEED: it is one of the fastest */
	bool online;
	struct task *curr; /* NULL: the idle task, or a real-time one */
	bool real_time; /* taken by a real-time task */
	bool in_balance;
	bool has_looked; /* for a task, and its clock is not known since */
	u64 charged_ns; /* when curr was last charged */
	u64 idle_since_ns;
	u64 ours_since_ns; /* when the last real-time task or bound kernel thread left it */
	u64 decided_ns; /* when it last looked for what to run */
	struct queue local;
	struct event resched, tick, kick, reenqueue, real_time_end, slice_end, entry;
	u64 kick_flags;
	bool kicks_itself; /* the kick that is pending is its own */
	struct lock lock; /* of its run-queue */
	struct guard guard; /* of the same */
	struct strand *strand; /* the event that it is in the middle of; NULL: none */
	struct insertion dispatched[MAX_DISPATCHED];
	u32 nr_dispatched;
	u64 busy_until_ns; /* with what it did last */
	u64 kernel_ns; /* that such work took */
	u64 stolen_ns; /* of it, since curr was last charged */
};

extern struct cpu cpus_[MAX_CPUS];
extern u32 nr_cpus_;
extern struct task *all_tasks;
extern struct cpu *here; /* the CPU that executes */

#define for_each_task(p) for (struct task *p = all_tasks; p; p = p->other)
#define for_each_cpu(c) for (struct cpu *c = cpus_; c < cpus_ + nr_cpus_; c++)

static inline struct task *task_of(const struct task_struct *k)
{
	return container(k, struct task, k);
}

static inline bool is_runnable(const struct task *p)
{
	return p->k.scx.flags & TASK_QUEUED;
}

static inline bool is_running(const struct task *p)
{
	return cpus_[p->cpu].curr == p;
}

bool may_run_on(const struct task *p, s32 cpu);
void resched(struct cpu *c);
void schedule(struct event *e);
void run(struct cpu *c, struct task *p);
void charge_curr(struct cpu *c);
void enqueue_task(struct task *p, u64 flags, bool sticky);
void dequeue_task(struct task *p, u64 flags);
void put_aside(struct cpu *c);
void wake(struct task *p, struct cpu *waker, u64 wake_flags);
void sleep_now(struct task *p);
void kill_running(struct task *p);
void requeue_elsewhere(struct task *p);
void enqueue_again(struct task *p, u64 flags);
void set_next(struct cpu *c, struct task *p);
void take_for_real_time(struct cpu *c, u64 for_ns);
void init_cpus(u32 nr);

void queue_insert(struct queue *q, struct task *p, u64 flags, bool by_key);
void queue_remove(struct task *p);
void move_to_cpu(struct task *p, struct cpu *c, u64 flags);
extern u64 nr_insertions;
struct task *take_place(struct queue *q, struct task *p);
void leave_place(struct queue *q, const struct task *p);
bool is_held(const struct task *p);
struct queue *queue_or_error(u64 id, struct cpu *local_of);
struct queue *find_queue(u64 id, struct cpu *local_of);
bool consume(struct queue *q, struct cpu *c);
void flush_dispatched(struct cpu *own);
void reenqueue_now(struct event *e);
void forget_queues(void);
extern struct queue global_queue;

/* ---- object.c ---- */

extern struct sched_ext_ops *ops;
extern bool is_policy; /* the scheduler is compiled from one, and no control */
typedef void (*program)(void *, u64, u64, u64, u64);
program program_at(const char *section);
void load_scheduler(const char *path);
void enable_scheduler(void);
void set_tunable(u64 number, u64 value);
void unload_scheduler(const char *reason);
s32 class_in_force(struct task *p);

/* ---- the rest ---- */

/* topology.c */
extern const struct cpu_set *llcs[MAX_CPUS], *nodes[MAX_CPUS]; /* NULL where there is but one */
extern bool has_siblings;
void join_llc(u32 number, const struct cpu_set *cpus);
void join_node(u32 number, const struct cpu_set *cpus);
struct gthulhu_cells;
const struct gthulhu_cells *divide_into_cells(void);
bool counts_cgroups(void); /* as the loader tells the scheduler */
u32 nr_cells(void); /* as the loader tells the scheduler, */
u32 cell_of(u32 cpu); /* and which one a CPU is in */
void join_core(const struct cpu_set *cpus);
void set_online(struct cpu *c, bool online);
u64 work_done_in(const struct cpu *c, u64 ns);
u64 time_for_work(const struct cpu *c, u64 work_ns);

/* idle.c */
void kick_now(struct event *e);
void set_idle(struct cpu *c, bool idle);
s32 any_cpu(const struct cpu_set *set);
void name_idle_masks(void);
bool any_online(const struct cpu_set *set);

/* cpumask.c */
void forget_masks(void);

/* reference.c */
extern struct kept {
	s64 references;
	s32 rcu_depth, preempt_depth;
} kept; /* by the call of the scheduler, which has to give it back */
void hold(s64 change);
void check_given_back(const char *who);

/* memory.c */
struct storage;
void free_storage(struct storage **list);
void forget_maps(void);
void *host_task_storage(void *map, u64 size, struct task_struct *k, const void *init, u64 flags);
void *host_array_element(void *map, const char *name, u32 type, u64 nr, u64 size, const void *key);

/* work.c */
void begin_return(struct task *p);
void end_return(struct task *p);

/* process.c, change.c */
struct task *new_task(u32 pid, struct task *parent, u64 clone_flags);
struct task *find_task(u32 pid);
void fork_task(struct task *p, struct task *maker, u64 clone_flags);
void introduce_tasks(void);
void forget_tasks(void);
void free_all_tasks(void);
void pin(struct task *p);
void kill_task(struct task *p);
void leave_children(struct task *p);
void bury(struct task *p);
void exit_task(struct task *p);
void forget_task(struct task *p);
void reap(struct task *p);
void rename_task(struct task *p, const char *name);
void move_to_cgroup(struct task *p, const char *path, bool whole_process);
void set_affinity(struct task *p, const struct cpu_set *cpus);
void disable_migration(struct task *p, bool disabled);
void set_nice(struct task *p, s32 nice);
void set_autogroup(struct task *p, u32 number);
void set_ids(struct task *p, u32 uid, u32 gid);
void call_function(struct task *p, const char *function, u32 interrupts);
void show_mask(struct task *p);
u32 weight_of_nice(s32 nice);

/* sync.c */
bool lock_mutex(u64 number, struct task *p);
void unlock_mutex(u64 number, struct task *p);
void wait_for_condition(u64 number, u64 mutex, struct task *p);
void signal_condition(u64 number, bool all);
void arrive_at_barrier(u64 number, u64 users, struct task *p);
void post_semaphore(u64 number);
void wait_for_semaphore(u64 number, struct task *p);
u64 *timer_of_all(u64 number);

/* script.c */
void add_step(u64 number, char *word);
void set_script(struct task *p, u64 number);
void follow_script(struct task *p);
void forget_scripts(void);
void die(struct task *p);
void yield(struct task *p);

/* replay.c */
void follow_course(struct task *p);
u64 until_it_enters(const struct task *p);
void print_repeated(void);
void forget_courses(void);

/* figures.c */
void open_group(u64 group); /* its figures are printed, with tasks or without */
void watch(struct task *p, u64 group);
void count_wait(struct task *p, u64 waited_ns);
void forget_figures(void);
void print_figures(void);

/* timeline.c */
void begin_timeline(u64 most);
void show_process(struct task *p);
void show_switch(const struct cpu *c, const struct task *prev, struct task *next);
void show_waking(const struct task *p, const struct cpu *waker);

/* words.c */
struct cpu_set read_cpus(const char *text);

/* check.c */
extern struct promise promises[MAX_CLASSES];
extern u64 settle_ns, slice_slack_ns, watchdog_ns;
void check_all(void);
void note_running(struct task *p);
void note_stopped(struct task *p);
__attribute__((format(printf, 2, 3))) void violation(const char *what, const char *format, ...);
__attribute__((format(printf, 1, 2), noreturn)) void fail(const char *format, ...);
void report(void);
void count_anew(void);

#endif /* MACHINE_H */
