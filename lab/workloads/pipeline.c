/* SPDX-FileCopyrightText: The gthulhuc authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * A chain of producers and consumers: one thread decodes frames, others filter
 * them one after the other, and several encode them, with bounded queues in
 * between. ffmpeg has this shape when it transcodes. A good scheduler runs the
 * thread that the others wait for.
 *
 *   pipeline FILTERS ENCODERS DECODE_US FILTER_US ENCODE_US DEPTH SECONDS RESULTS
 *
 * All are threads of one process, and compute for these times for each frame.
 * DEPTH frames fit into a queue. "rate" counts encoded frames.
 */
#include "run.h"

enum { MAX_FILTERS = 64, MAX_DEPTH = 1024 };

/* The number of frames; their content does not matter. */
struct queue {
	pthread_mutex_t lock;
	pthread_cond_t not_empty, not_full;
	unsigned frames;
};

struct stage {
	struct queue *in, *out; /* NULL at an end of the chain */
	uint64_t work_ns;
	struct counter *done;
};

static unsigned depth;

static void put(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	while (queue->frames == depth)
		pthread_cond_wait(&queue->not_full, &queue->lock);
	queue->frames++;
	pthread_cond_signal(&queue->not_empty);
	pthread_mutex_unlock(&queue->lock);
}

static void take(struct queue *queue)
{
	pthread_mutex_lock(&queue->lock);
	while (!queue->frames)
		pthread_cond_wait(&queue->not_empty, &queue->lock);
	queue->frames--;
	pthread_cond_signal(&queue->not_full);
	pthread_mutex_unlock(&queue->lock);
}

static void process(void *argument)
{
	struct stage *stage = argument;

	for (;;) {
		if (stage->in)
			take(stage->in);
		compute(stage->work_ns);
		if (stage->out)
			put(stage->out);
		stage->done->count++;
	}
}

int main(int argc, char **argv)
{
	static struct queue queues[MAX_FILTERS + 1];
	static struct stage stages[1 + MAX_FILTERS + MAX_UNITS];
	uint64_t filters, encoders, decode_ns, filter_ns, encode_ns, seconds, nr = 0;
	struct counter *done;

	if (argc != 9)
		errx(2,
		     "usage: pipeline FILTERS ENCODERS DECODE_US FILTER_US ENCODE_US DEPTH "
		     "SECONDS RESULTS");
	filters = number("FILTERS", argv[1], 0, MAX_FILTERS);
	encoders = number("ENCODERS", argv[2], 1, MAX_UNITS);
	decode_ns = number("DECODE_US", argv[3], 0, 10000000) * 1000;
	filter_ns = number("FILTER_US", argv[4], 0, 10000000) * 1000;
	encode_ns = number("ENCODE_US", argv[5], 0, 10000000) * 1000;
	depth = (unsigned)number("DEPTH", argv[6], 1, MAX_DEPTH);
	seconds = number("SECONDS", argv[7], 1, MAX_SECONDS);

	begin("pipeline");
	done = share((1 + filters + encoders) * sizeof(*done));
	for (uint64_t i = 0; i <= filters; i++)
		queues[i] = (struct queue){ PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
					    PTHREAD_COND_INITIALIZER, 0 };

	stages[nr++] = (struct stage){ NULL, &queues[0], decode_ns, NULL };
	for (uint64_t i = 0; i < filters; i++)
		stages[nr++] = (struct stage){ &queues[i], &queues[i + 1], filter_ns, NULL };
	for (uint64_t i = 0; i < encoders; i++)
		stages[nr++] = (struct stage){ &queues[filters], NULL, encode_ns, NULL };
	for (uint64_t i = 0; i < nr; i++) {
		stages[i].done = &done[i];
		start_thread("pipeline", process, &stages[i]);
	}
	run(seconds, done + 1 + filters, encoders, argv[8]);
	return 0;
}
