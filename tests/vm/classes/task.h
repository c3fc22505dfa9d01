/* SPDX-License-Identifier: GPL-2.0-only */
/* Steps that change tasks, and questions to the scheduler about them. */
#ifndef TASK_H
#define TASK_H

#include <sys/types.h>

void fail(const char *what);

/* Look for the scheduler's maps; their layout is in the object's BTF. */
void find_scheduler(const char *object);
/* The number of a thread's class. */
int class_of(pid_t tid);
/* From now on a thread has slept and run again, some 50 times, before its class is printed. */
void let_tasks_run(void);
/* A thread waits here while another prints its class. */
void stay(void);
/* Prints a thread's class after the name of the step. */
void show(const char *step, pid_t tid);
/* Prints a number after its name. */
void print_count(const char *name, long long count);
/* Prints how many tasks came to a rule that only counts, and how many left. */
void show_counts(const char *step, int class);
/* How long the tasks ran that a rule only counts. */
long long counted_ms(int class);

pid_t self(void);
long long now_ms(void);
void call_me(const char *name);
void make_cgroup(const char *cgroup);
void move_to(const char *cgroup);
/* Runs a step in a process of its own. */
void in_child(void (*step)(void));
/* Runs a step in a process of its own that is forked into a cgroup. */
void in_child_in(const char *cgroup, void (*step)(void));
void in_thread(void *(*step)(void *));

/* The steps: events.c, kept.c. */
void event_steps(void);
void show_loaded_family(void);
void start_family(void);
void inherit_steps(void);
void monitor_steps(void);
void sleep_steps(void);

#endif /* TASK_H */
