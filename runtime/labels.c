// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "json.h"
#include "labels.h"
#include "log.h"
#include "object.h"
#include "processes.h"

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

/* Past that many processes it is quicker to go through all tasks once. */
#define MAX_ONE_BY_ONE 64
/* Processes that fork faster than we look would keep us here for ever. */
#define MAX_ROUNDS 64

static const char remedy_policy[] =
	"put a policy in force that asks for `label`, `namespace`, `pod` or `container`";

static int out_of_memory(void)
{
	return log_error(ENOMEM, NULL, "out of memory");
}

void labels_init(struct labels *labels)
{
	memset(labels, 0, sizeof(*labels));
	labels->processes_fd = -1;
}

static void drop_cgroup(struct labels *labels, struct labelled_cgroup *cgroup)
{
	free(cgroup->path);
	label_set_clear(&cgroup->set);
	*cgroup = labels->cgroups[--labels->nr_cgroups];
}

void labels_close(struct labels *labels)
{
	for (size_t i = 0; i < labels->nr_sets; i++)
		label_set_clear(&labels->sets[i]);
	free(labels->sets);
	while (labels->nr_cgroups)
		drop_cgroup(labels, labels->cgroups);
	free(labels->cgroups);
	if (labels->processes_fd >= 0)
		close(labels->processes_fd);
	labels_init(labels);
}

/* ---- The maps of a policy ---- */

static struct bpf_map *find_map(const struct object *object, const char *name)
{
	return bpf_object__find_map_by_name(object->bpf, name);
}

static struct bpf_program *relabel_program(const struct object *object)
{
	return bpf_object__find_program_by_name(object->bpf, "gthulhu_relabel");
}

int labels_share(const struct labels *labels, struct object *object)
{
	struct bpf_map *map = find_map(object, "process_labels");
	struct bpf_program *program = relabel_program(object);
	int err;

	if (program)
		bpf_program__set_autoattach(program, false);
	if (!map || labels->processes_fd < 0)
		return 0;
	err = bpf_map__reuse_fd(map, labels->processes_fd);
	if (err)
		return log_error(-err, NULL, "%s: cannot share process_labels: %s",
				 object->policy.name, strerror(-err));
	return 0;
}

static int answer(const struct object *object, const char *name, const void *key,
		  const struct label_set *set)
{
	struct label_answers answers = questions_answer(object, set);
	struct bpf_map *map = find_map(object, name);

	if (!map)
		return 0;
	if (bpf_map_update_elem(bpf_map__fd(map), key, &answers, BPF_ANY))
		return log_error(errno, NULL, "%s: cannot write to %s: %s", object->policy.name,
				 name, strerror(errno));
	return 0;
}

int labels_fill(struct labels *labels, struct object *object)
{
	struct bpf_map *map = find_map(object, "process_labels");
	int err = 0;

	if (map && labels->processes_fd < 0) {
		labels->processes_fd = fcntl(bpf_map__fd(map), F_DUPFD_CLOEXEC, 3);
		if (labels->processes_fd < 0)
			return log_error(errno, NULL, "cannot keep process_labels: %s",
					 strerror(errno));
	}
	for (uint32_t i = 0; i < labels->nr_sets && !err; i++)
		err = answer(object, "label_sets", &i, &labels->sets[i]);
	for (size_t i = 0; i < labels->nr_cgroups && !err; i++)
		err = answer(object, "cgroup_labels", &labels->cgroups[i].id,
			     &labels->cgroups[i].set);
	return err;
}

/* ---- Classifying again ---- */

/* Runs the program for the threads of a process; for all tasks where info is NULL. */
static int run_relabel(const struct object *object, union bpf_iter_link_info *info)
{
	LIBBPF_OPTS(bpf_iter_attach_opts, opts, .link_info = info,
		    .link_info_len = info ? sizeof(*info) : 0);
	struct bpf_link *link = bpf_program__attach_iter(relabel_program(object), &opts);
	char nothing[8];
	ssize_t n = -1;
	int fd;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd >= 0) {
		do
			n = read(fd, nothing, sizeof(nothing));
		while (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)));
		close(fd);
	}
	bpf_link__destroy(link);
	return fd < 0 || n < 0 ? -errno : 0;
}

static int relabel(const struct object *object, const struct pids *processes)
{
	int err = 0;

	if (!relabel_program(object))
		return 0;
	if (processes->nr > MAX_ONE_BY_ONE) {
		err = run_relabel(object, NULL);
	} else {
		for (size_t i = 0; i < processes->nr && !err; i++) {
			union bpf_iter_link_info info = { .task.pid = processes->all[i] };

			err = run_relabel(object, &info);
		}
	}
	if (err)
		return log_error(-err, NULL, "%s: cannot classify tasks again: %s",
				 object->policy.name, strerror(-err));
	return 0;
}

/* ---- Processes ---- */

static int thread_fd(pid_t tid)
{
	return (int)syscall(SYS_pidfd_open, tid, PIDFD_THREAD);
}

/* The number of a set, which is made where there is none yet. Takes the set over. */
static int number_of(struct labels *labels, const struct object *object, struct label_set *set,
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
				 "processes have been given %d different sets of labels",
				 GTHULHU_LABEL_SETS);
	}
	sets = realloc(labels->sets, (labels->nr_sets + 1) * sizeof(*sets));
	if (!sets)
		goto no_memory;
	labels->sets = sets;
	labels->sets[labels->nr_sets++] = *set;
	return answer(object, "label_sets", number, set);
no_memory:
	label_set_clear(set);
	return out_of_memory();
}

static int change(struct label_set *set, const char *text)
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

/* Whether the changes are such, before any is made. */
static int check_changes(char *const *changes, size_t nr_changes)
{
	struct label_set set = {};
	int err = 0;

	for (size_t i = 0; i < nr_changes && !err; i++) {
		err = change(&set, changes[i]);
		if (err == -EINVAL)
			log_error(EINVAL, "`key=value` gives a label, `key-` takes it away",
				  "`%s` is no label", changes[i]);
	}
	label_set_clear(&set);
	return err == -ENOMEM ? out_of_memory() : err;
}

/* Of a thread that is still there; *changed: it had another number. */
static int give_thread(struct labels *labels, const struct object *object, pid_t tid,
		       char *const *changes, size_t nr_changes, bool *changed)
{
	int fd = thread_fd(tid), err = 0;
	uint32_t before = 0, number;
	struct label_set set = {};
	bool had;

	if (fd < 0 && errno == ESRCH)
		return 0;
	if (fd < 0)
		return log_error(errno, NULL, "cannot open task %d: %s", tid, strerror(errno));
	had = !bpf_map_lookup_elem(labels->processes_fd, &fd, &before);
	if (before < labels->nr_sets)
		err = label_set_copy(&set, &labels->sets[before]);
	for (size_t i = 0; i < nr_changes && !err; i++)
		err = change(&set, changes[i]);
	if (err) {
		label_set_clear(&set);
		err = out_of_memory();
	} else {
		err = number_of(labels, object, &set, &number);
	}
	if (!err && (!had || number != before)) {
		*changed = true;
		if (bpf_map_update_elem(labels->processes_fd, &fd, &number, BPF_ANY) &&
		    errno != ESRCH && errno != ENOENT)
			err = log_error(errno, NULL, "cannot label task %d: %s", tid,
					strerror(errno));
	}
	close(fd);
	return err;
}

static int give_process(struct labels *labels, const struct object *object, pid_t pid,
			char *const *changes, size_t nr_changes, bool *changed)
{
	struct pids threads = {};
	int err = 0;

	if (threads_of(pid, &threads))
		err = out_of_memory();
	for (size_t i = 0; i < threads.nr && !err; i++)
		err = give_thread(labels, object, threads.all[i], changes, nr_changes, changed);
	free(threads.all);
	return err;
}

/*
 * What is forked by a thread that has its labels already, has them, too; what was
 * forked before is there in the next round.
 */
int labels_give(struct labels *labels, const struct object *object, pid_t pid, char *const *changes,
		size_t nr_changes)
{
	struct pids family = {};
	bool changed = true;
	pid_t process;
	int err;

	err = check_changes(changes, nr_changes);
	if (err)
		return err;
	if (!questions_any(object))
		return log_error(EOPNOTSUPP, remedy_policy, "policy %s asks for no labels",
				 object->policy.name);
	process = process_of(pid);
	if (!process)
		return log_error(ESRCH, NULL, "there is no process %d", pid);
	err = pids_add(&family, process);
	for (unsigned int round = 0; changed && !err && round < MAX_ROUNDS; round++) {
		changed = false;
		err = find_family(&family);
		for (size_t i = 0; i < family.nr && !err; i++)
			err = give_process(labels, object, family.all[i], changes, nr_changes,
					   &changed);
	}
	if (!err)
		err = relabel(object, &family);
	else if (err == -ENOMEM)
		err = out_of_memory();
	if (!err)
		err = (int)family.nr;
	free(family.all);
	return err;
}

/* ---- Containers ---- */

static int relabel_cgroup(const struct object *object, const char *path)
{
	struct pids processes = {};
	int err;

	err = cgroup_processes(path, &processes);
	if (err)
		log_error(-err, NULL, "cannot read which processes are in %s: %s", path,
			  strerror(-err));
	else
		err = relabel(object, &processes);
	if (!err)
		err = (int)processes.nr;
	free(processes.all);
	return err;
}

static struct labelled_cgroup *find_cgroup(const struct labels *labels, const char *path)
{
	for (size_t i = 0; i < labels->nr_cgroups; i++) {
		if (!strcmp(labels->cgroups[i].path, path))
			return &labels->cgroups[i];
	}
	return NULL;
}

static void erase(const struct object *object, uint64_t id)
{
	struct bpf_map *map = find_map(object, "cgroup_labels");

	if (map)
		bpf_map_delete_elem(bpf_map__fd(map), &id);
}

/* Those that are not there any more. */
static void prune(struct labels *labels, const struct object *object)
{
	for (size_t i = labels->nr_cgroups; i-- > 0;) {
		struct labelled_cgroup *cgroup = &labels->cgroups[i];

		if (cgroup_id(cgroup->path) == cgroup->id)
			continue;
		erase(object, cgroup->id);
		drop_cgroup(labels, cgroup);
	}
}

/* A place for a cgroup that has none. */
static struct labelled_cgroup *add_cgroup(struct labels *labels, const struct object *object,
					  const char *path)
{
	struct labelled_cgroup *cgroups;
	char *copy;

	if (labels->nr_cgroups == GTHULHU_LABELLED_CGROUPS)
		prune(labels, object);
	if (labels->nr_cgroups == GTHULHU_LABELLED_CGROUPS) {
		log_error(ENOSPC, NULL, "more than %d cgroups have labels",
			  GTHULHU_LABELLED_CGROUPS);
		return NULL;
	}
	copy = strdup(path);
	cgroups = realloc(labels->cgroups, (labels->nr_cgroups + 1) * sizeof(*cgroups));
	if (cgroups)
		labels->cgroups = cgroups;
	if (!copy || !cgroups) {
		free(copy);
		out_of_memory();
		return NULL;
	}
	cgroups += labels->nr_cgroups++;
	*cgroups = (struct labelled_cgroup){ .path = copy };
	return cgroups;
}

int labels_tell(struct labels *labels, const struct object *object, const char *path, bool complete,
		char *const *facts, size_t nr_facts)
{
	struct label_set set = { .complete = complete };
	struct labelled_cgroup *cgroup;
	uint64_t id;
	int err = 0;

	for (size_t i = 0; i < nr_facts && !err; i++) {
		err = label_set_put(&set, facts[i]);
		if (err == -EINVAL)
			log_error(EINVAL, NULL, "`%s` is nothing to know of a container", facts[i]);
		else if (err)
			out_of_memory();
	}
	id = cgroup_id(path);
	if (!err && !id)
		err = log_error(ENOENT, NULL, "there is no cgroup %s", path);
	cgroup = err ? NULL : find_cgroup(labels, path);
	if (!err && !cgroup)
		cgroup = add_cgroup(labels, object, path);
	if (!cgroup) {
		label_set_clear(&set);
		return err ? err : -ENOSPC;
	}
	if (cgroup->id != id) /* another one of that name was there before */
		erase(object, cgroup->id);
	label_set_clear(&cgroup->set);
	cgroup->id = id;
	cgroup->set = set;
	err = answer(object, "cgroup_labels", &id, &cgroup->set);
	return err ? err : relabel_cgroup(object, path);
}

int labels_forget(struct labels *labels, const struct object *object, const char *path)
{
	struct labelled_cgroup *cgroup = find_cgroup(labels, path);

	if (!cgroup)
		return 0;
	erase(object, cgroup->id);
	drop_cgroup(labels, cgroup);
	return cgroup_id(path) ? relabel_cgroup(object, path) : 0;
}

/* ---- What is known ---- */

static void write_set(struct json *json, const char *key, const struct label_set *set)
{
	json_array_begin(json, key);
	for (size_t i = 0; set && i < set->nr; i++) {
		json_element_begin(json);
		json_string(json, "fact", set->facts[i]);
		json_element_end(json);
	}
	json_array_end(json);
}

/* The innermost one above that something is known of; NULL: none. */
static const struct labelled_cgroup *container_of_path(const struct labels *labels, char *path)
{
	for (;;) {
		const struct labelled_cgroup *found = find_cgroup(labels, *path ? path : "/");
		char *slash = strrchr(path, '/');

		if (found && found->id == cgroup_id(found->path))
			return found;
		if (!slash || !strcmp(path, "/"))
			return NULL;
		*(slash == path ? slash + 1 : slash) = '\0';
	}
}

int labels_write(const struct labels *labels, pid_t pid, struct json *json)
{
	const struct labelled_cgroup *container = NULL;
	pid_t process = process_of(pid);
	int fd = process ? thread_fd(process) : -1;
	char path[PATH_MAX];
	uint32_t number = 0;

	if (fd < 0)
		return log_error(ESRCH, NULL, "there is no process %d", pid);
	if (labels->processes_fd >= 0)
		bpf_map_lookup_elem(labels->processes_fd, &fd, &number);
	close(fd);
	if (cgroup_of(process, path, sizeof(path)))
		container = container_of_path(labels, path);
	write_set(json, "own", number < labels->nr_sets ? &labels->sets[number] : NULL);
	json_string(json, "cgroup", container ? container->path : "");
	write_set(json, "container", container ? &container->set : NULL);
	json_bool(json, "complete", container && container->set.complete);
	return 0;
}
