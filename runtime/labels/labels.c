// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "labels/label_maps.h"
#include "labels/labels.h"
#include "machine/clock.h"
#include "machine/family.h"
#include "machine/processes.h"
#include "object/object.h"
#include "object/questions.h"
#include "output/log.h"

/* Processes that fork faster than the loader looks must not block it, and its clients, for ever. */
#define MAX_ROUNDS 64
#define MAX_ROUNDS_MS 3000
/* Done even if they take longer: processes that do not fork need two. */
#define MIN_ROUNDS 4

static const char remedy_policy[] =
	"put a policy in force that asks for `label`, `namespace`, `pod` or `container`";

static const char remedy_runaway[] =
	"try again when it starts fewer, or stop it first, for example with SIGSTOP";

static int out_of_memory(void)
{
	return log_error(ENOMEM, NULL, "out of memory");
}

void labels_init(struct labels *labels)
{
	memset(labels, 0, sizeof(*labels));
	labels->processes_fd = -1;
}

void labels_close(struct labels *labels)
{
	for (size_t i = 0; i < labels->nr_sets; i++)
		label_set_clear(&labels->sets[i]);
	free(labels->sets);
	containers_clear(&labels->containers);
	if (labels->processes_fd >= 0)
		close(labels->processes_fd);
	labels_init(labels);
}

/* ---- The maps of a policy ---- */

int labels_share(const struct labels *labels, struct object *object)
{
	struct bpf_map *map = label_map(object, "process_labels");
	int err;

	if (!map || labels->processes_fd < 0)
		return 0;
	err = bpf_map__reuse_fd(map, labels->processes_fd);
	if (err)
		return log_error(-err, NULL, "%s: cannot share process_labels: %s",
				 object->policy.name, strerror(-err));
	return 0;
}

int labels_fill(struct labels *labels, struct object *object)
{
	struct bpf_map *map = label_map(object, "process_labels");
	int err = 0;

	if (map && labels->processes_fd < 0) {
		labels->processes_fd = fcntl(bpf_map__fd(map), F_DUPFD_CLOEXEC, 3);
		if (labels->processes_fd < 0)
			return log_error(errno, NULL, "cannot keep process_labels: %s",
					 strerror(errno));
	}
	for (uint32_t i = 0; i < labels->nr_sets && !err; i++)
		err = label_map_answer(object, "label_sets", &i, &labels->sets[i]);
	return err ? err : containers_fill(&labels->containers, object);
}

/* ---- Processes ---- */

/* Writes the number of an equal set, or adds it. Takes ownership of the contents of set. */
static int intern_set(struct labels *labels, const struct object *object, struct label_set *set,
		      uint32_t *number)
{
	struct label_set *sets;

	if (!labels->nr_sets) {
		labels->sets = calloc(1, sizeof(*labels->sets));
		if (!labels->sets)
			goto no_memory;
		labels->nr_sets = 1;
	}
	for (*number = 0; *number < labels->nr_sets; (*number)++) {
		if (label_set_equal(&labels->sets[*number], set)) {
			label_set_clear(set);
			return 0;
		}
	}
	if (labels->nr_sets == GTHULHU_LABEL_SETS) {
		label_set_clear(set);
		return log_error(ENOSPC, "stop the policy and start it again",
				 "processes have %d different sets of labels, which is the limit",
				 GTHULHU_LABEL_SETS);
	}
	sets = realloc(labels->sets, (labels->nr_sets + 1) * sizeof(*sets));
	if (!sets)
		goto no_memory;
	labels->sets = sets;
	labels->sets[labels->nr_sets++] = *set;
	return label_map_answer(object, "label_sets", number, set);
no_memory:
	label_set_clear(set);
	return out_of_memory();
}

static int apply_change(struct label_set *set, const char *text)
{
	size_t len = strlen(text);
	char *fact;
	int err = 0;

	fact = malloc(len + sizeof("label:"));
	if (!fact)
		return -ENOMEM;
	sprintf(fact, "label:%s", text);
	if (strchr(text, '='))
		err = label_set_put(set, fact);
	else if (len > 1 && text[len - 1] == '-')
		label_set_remove(set, fact, strlen(fact) - 1);
	else
		err = -EINVAL;
	free(fact);
	return err;
}

/* Checks all changes before any is made. */
static int check_changes(char *const *changes, size_t nr_changes)
{
	struct label_set set = {};
	int err = 0;

	for (size_t i = 0; i < nr_changes && !err; i++) {
		err = apply_change(&set, changes[i]);
		if (err == -EINVAL)
			log_error(EINVAL, "`key=value` sets a label, `key-` removes it",
				  "invalid label: `%s`", changes[i]);
	}
	label_set_clear(&set);
	return err == -ENOMEM ? out_of_memory() : err;
}

/* The changes to the labels of each process. */
struct changes {
	char *const *all;
	size_t nr;
	bool known; /* from and to are valid: the set that was changed last */
	uint32_t from, to;
	bool changed; /* in this round a number changed, or a thread ended before its was known */
};

/* Writes the number of a set after the changes. Most processes of a family have the same set. */
static int changed_number(struct labels *labels, const struct object *object, uint32_t from,
			  struct changes *changes, uint32_t *to)
{
	struct label_set set = {};
	int err = 0;

	if (!changes->known || changes->from != from) {
		if (from < labels->nr_sets)
			err = label_set_copy(&set, &labels->sets[from]);
		for (size_t i = 0; i < changes->nr && !err; i++)
			err = apply_change(&set, changes->all[i]);
		if (err) {
			label_set_clear(&set);
			return out_of_memory();
		}
		err = intern_set(labels, object, &set, &changes->to);
		if (err)
			return err;
		changes->known = true;
		changes->from = from;
	}
	*to = changes->to;
	return 0;
}

/* Whether the opened task still exists, even as a zombie. */
static bool is_open(int fd)
{
	return !syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0) || errno != ESRCH;
}

/* Labels a thread, if it still exists. */
static int label_thread(struct labels *labels, const struct object *object,
			const struct process *process, pid_t tid, struct changes *changes)
{
	uint32_t before = 0, number;
	int fd = thread_fd(tid), err;
	bool had;

	if (fd < 0 && errno == ESRCH) {
		/* Threads and children of this thread may have inherited no labels. */
		if (process_is_alive(process))
			changes->changed = true;
		return 0;
	}
	if (fd < 0)
		return log_error(errno, NULL, "cannot open task %d: %s", tid, strerror(errno));
	had = !bpf_map_lookup_elem(labels->processes_fd, &fd, &before);
	err = changed_number(labels, object, before, changes, &number);
	if (!err && (!had || number != before)) {
		changes->changed = true;
		/*
		 * Another task may have the number since it was listed. If the opened task still
		 * exists afterwards, it had the number during the check.
		 */
		if (process_has_thread(process, tid) && is_open(fd) &&
		    bpf_map_update_elem(labels->processes_fd, &fd, &number, BPF_ANY) &&
		    errno != ESRCH && errno != ENOENT)
			err = log_error(errno, NULL, "cannot label task %d: %s", tid,
					strerror(errno));
	}
	close(fd);
	return err;
}

static int label_process(struct labels *labels, const struct object *object,
			 const struct process *process, struct changes *changes)
{
	struct pids threads = {};
	int err = 0;

	if (threads_of(process->pid, &threads))
		err = out_of_memory();
	for (size_t i = 0; i < threads.nr && !err; i++)
		err = label_thread(labels, object, process, threads.all[i], changes);
	free(threads.all);
	return err;
}

/* One round: all processes that exist now. */
static int label_family(struct labels *labels, const struct object *object, struct family *family,
			struct changes *changes)
{
	int err = family_update(family);

	if (err)
		return log_error(-err, NULL, "cannot list the processes: %s", strerror(-err));
	changes->changed = false;
	for (size_t i = 0; i < family->nr && !err; i++)
		err = label_process(labels, object, &family->all[i], changes);
	return err;
}

static int relabel_family(const struct object *object, const struct family *family)
{
	struct pids processes = {};
	int err = 0;

	for (size_t i = 0; i < family->nr && !err; i++)
		err = pids_add(&processes, family->all[i].pid);
	err = err ? out_of_memory() : relabel(object, &processes);
	free(processes.all);
	return err;
}

/*
 * Children of a labelled thread inherit its labels; the next round finds those that were forked
 * before.
 */
int labels_change(struct labels *labels, const struct object *object, pid_t pid, char *const *texts,
		  size_t nr_texts)
{
	struct changes changes = { .all = texts, .nr = nr_texts, .changed = true };
	int64_t end_ms = clock_ms() + MAX_ROUNDS_MS;
	struct family family = {};
	struct process process;
	unsigned int round = 0;
	int err;

	err = check_changes(texts, nr_texts);
	if (err)
		return err;
	if (!questions_any(object))
		return log_error(EOPNOTSUPP, remedy_policy, "policy %s asks for no labels",
				 object->policy.name);
	if (!process_read(process_of(pid), &process))
		return log_error(ESRCH, NULL, "there is no process %d", pid);
	if (family_add(&family, &process))
		err = out_of_memory();
	while (changes.changed && !err && round++ < MAX_ROUNDS &&
	       (round <= MIN_ROUNDS || clock_ms() < end_ms))
		err = label_family(labels, object, &family, &changes);
	if (!err && !family.nr)
		err = log_error(ESRCH, NULL, "process %d has ended", pid);
	if (!err)
		err = relabel_family(object, &family);
	if (!err && changes.changed)
		err = log_error(EAGAIN, remedy_runaway,
				"process %d starts threads or children faster than they can be "
				"labelled: the last ones have no label yet",
				pid);
	if (!err)
		err = (int)family.nr;
	free(family.all);
	return err;
}
