/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gthulhu-loader: puts a compiled policy in force and keeps it there.
 *
 *	main.c		command line, signals
 *	doctor.c	--doctor: what this machine lacks to run a policy
 *
 *	control/	a running loader and its operator
 *	  run.c			life cycle: load, watch, restart, stop
 *	  requests.c		carries out the requests of clients
 *	  labelling.c		those about labels
 *	  swap.c		replaces the policy in force
 *	  trial.c		a policy that stays only if its promises hold
 *	  fallback.c		goes back by itself
 *	  switching.c		reports conditions that begin or cease to hold
 *	  refused.c		objects that it went back from
 *	  events.c		the log of events
 *	  answer.c		answers to requests that failed
 *	  rehearsal.c		tries a new object in a sandbox
 *	  generation.c		numbered policies that were put in force
 *	  control.c		the control socket
 *	  service.c		notifications for systemd
 *	  state.c		the state directory: its lock, and copies of generations
 *	scheduler/	one scheduler in the kernel
 *	  session.c		loads, attaches, enables and disables it
 *	  preflight.c		checks whether this machine can run it
 *	  follow.c		moves CPUs of rules with interrupts
 *	  calls.c		traces the kernel functions that the policy asks about
 *	  classes.c		the class of a task
 *	  stats.c		counters by class
 *	  limits.c		counters by cgroup
 *	  guarantees.c		compares its shares with limits of cgroups
 *	  conditions.c		evaluates its conditions on the machine
 *	  promises.c		judges its promises, window by window
 *	  judge.c		the arithmetic of promises
 *	  report.c		why the kernel disabled it
 *	  blame.c		the rule whose task the kernel complained about
 *	labels/		labels of processes and containers
 *	  labels.c		labels a process and its descendants
 *	  containers.c		labels of cgroups
 *	  label_set.c		a set of labels
 *	  answers.c		evaluates a policy's questions on a set
 *	  label_maps.c		writes the answers to the policy's maps
 *	  label_report.c	shows labels to clients
 *	fill/		what only this machine knows, written into an object
 *	  fill.c		constants of the kernel, number of CPUs
 *	  pins.c		CPUs of rules
 *	  ids.c			users and groups
 *	  cgroups.c		whether cgroups count
 *	  cells.c		cells of CPUs, and nodes
 *	  perf.c		whether CPUs run at what the scheduler asks for
 *	object/		a policy's object file
 *	  open.c		opens it and checks it against the ABI
 *	  image.c		reads the file and checks that it is a whole BPF object
 *	  object.c		finds its variables
 *	  tunables.c		values that an operator may change
 *	  questions.c		what it asks about labels
 *	  iterate.c		runs programs that go through tasks
 *	  promised.c		what it promises
 *	  whens.c		its conditions, and the numbers that they change
 *	record/		gthulhu-record, a program of its own: records what the scheduler does
 *	  main.c		command line, limits, signals
 *	  capture.c		loads the programs and empties their buffers
 *	  record.bpf.c		the programs in the kernel
 *	  start.c		describes what is there when a record begins
 *	  stream.c		makes blocks of events
 *	btf/		the kernel's type information
 *	  kbtf.c		constants, members, functions
 *	  names.c		reads and indexes it, for libbpf too
 *	  excerpt.c		the types that an object needs, for libbpf
 *	machine/	the running machine, by /sys, /proc and cgroups
 *	  kernel.c		sched_ext, CPUs, version
 *	  topology.c		groups of CPUs
 *	  cells.c		divides CPUs into cells
 *	  interrupts.c		the CPUs that serve interrupts
 *	  processes.c		processes, threads, cgroups
 *	  family.c		a process and its descendants
 *	  clock.c		monotonic time, and the time of day
 *	  frequency.c		whether the scheduler sets frequencies
 *	  pressure.c		pressure stall information
 *	  power.c		the facts about power that an agent tells
 *	  sandbox.c		a process without privileges
 *	output/		what the loader says
 *	  log.c			messages
 *	  log_file.c		messages of a loader in the background
 *	  json.c		answers
 *
 * A room includes only those below it, and files never include or call each other in a circle.
 *
 * Functions return 0 or -errno. A function that returns an error has logged the reason, unless its
 * header says that it does not log. Pointers are not NULL and stay the caller's, unless the
 * declaration says otherwise.
 */
#ifndef GTHULHU_LOADER_H
#define GTHULHU_LOADER_H

/* The loader's exit status, for scripts and service managers; see --help. */
enum exit_status {
	STATUS_STOPPED = 0, /* stopped by a signal or a request; --check: valid */
	STATUS_REFUSED = 1, /* refused or failed to load: object, kernel or permissions */
	STATUS_USAGE = 2, /* wrong command line */
	STATUS_EJECTED = 3, /* the kernel ejected it after an error or a stall */
	STATUS_DISABLED = 4, /* the kernel disabled it on request (SysRq-S, the policy itself) */
	STATUS_GIVEN_BACK = 5, /* a promise broke: the kernel's own scheduler runs the machine */
};

#endif /* GTHULHU_LOADER_H */
