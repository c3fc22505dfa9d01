/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does the work of the loader with labels. It has the facts from the scenario, and gives each
 * scheduler that it loads the answers to its questions.
 */
#include "labels.h"
#include "cgroup.h"
#include "facts.h"
#include "words.h"

struct labelled {
	struct task *p;
	u32 set;
	struct labelled *next;
};

static struct facts sets[GTHULHU_LABEL_SETS]; /* of tasks; 0: none */
static struct labelled *labelled;

static u32 read_set_of_facts(struct words *w)
{
	u64 number = read_number(w);

	if (!number || number >= GTHULHU_LABEL_SETS)
		fail("there is no set of labels %llu", number);
	return number;
}

/* container CGROUP COMPLETE: has the facts that follow, before the scheduler is there */
void do_container(struct words *w)
{
	struct facts *facts = &cgroup_at(read_text(w))->facts;

	facts->is_container = true;
	facts->complete = read_number(w);
}

/* fact CGROUP TEXT: as label_answers.h has them */
void do_fact(struct words *w)
{
	struct facts *facts = &cgroup_at(read_text(w))->facts;

	add_fact(facts, read_text(w));
}

/* label SET TEXT: the same of a set that tasks have */
void do_label(struct words *w)
{
	u32 set = read_set_of_facts(w);

	add_fact(&sets[set], read_text(w));
}

/* labelled PID SET: it has these, and what it forks, before the scheduler is there */
void do_labelled(struct words *w)
{
	struct labelled *each = malloc(sizeof(*each));

	each->p = read_task(w);
	each->set = read_set_of_facts(w);
	each->next = labelled;
	labelled = each;
}

void fill_labels(const struct questions *questions, void *label_sets, void *process_labels)
{
	answer_for_cgroups(questions);
	for (u32 i = 0; i < GTHULHU_LABEL_SETS && label_sets; i++) {
		struct label_answers *place;

		answer(&sets[i], questions);
		place = host_array_element(label_sets, "", BPF_MAP_TYPE_ARRAY, GTHULHU_LABEL_SETS,
					   sizeof(*place), &i);
		*place = sets[i].answers;
	}
	for (struct labelled *each = labelled; each && process_labels; each = each->next)
		host_task_storage(process_labels, sizeof(each->set), &each->p->k, &each->set,
				  BPF_LOCAL_STORAGE_GET_F_CREATE);
}

void forget_labels(void)
{
	while (labelled) {
		struct labelled *each = labelled;

		labelled = each->next;
		free(each);
	}
	for (u32 i = 0; i < GTHULHU_LABEL_SETS; i++)
		forget_facts(&sets[i]);
}
