// SPDX-License-Identifier: GPL-2.0-only
#include "record/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "output/log.h"
#include "record/event.h"
#include "record/start.h"
#include "record/stream.h"

/* The object with the programs, which the linker takes in. */
__asm__(".section .rodata\n"
	".balign 8\n"
	"record_object: .incbin \"" RECORD_OBJECT "\"\n"
	"record_object_end: .byte 0\n"
	".previous\n");
extern const char record_object[], record_object_end[];

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

/* Kernels are built without some of the events, such as those of block devices. */
static void choose_programs(struct capture *capture)
{
	static const char section[] = "tp_btf/";
	struct bpf_program *program;
	char name[128];

	bpf_object__for_each_program(program, capture->object) {
		const char *event = bpf_program__section_name(program);

		if (strncmp(event, section, strlen(section)))
			continue;
		snprintf(name, sizeof(name), "btf_trace_%s", event + strlen(section));
		if (kbtf_find(&capture->kernel, name, BTF_KIND_TYPEDEF) < 0)
			bpf_program__set_autoload(program, false);
	}
}

/* Sets what the programs read, as record.bpf.c has it. */
static int set_constants(struct capture *capture)
{
	struct constants {
		uint64_t key;
		uint64_t mask_bytes;
	} *constants;
	struct bpf_map *map = bpf_object__find_map_by_name(capture->object, ".rodata.record");
	uint32_t words = (capture->nr_cpus + 63) / 64;
	size_t size = 0;

	constants = map ? bpf_map__initial_value(map, &size) : NULL;
	if (!constants || size < sizeof(*constants))
		return -EINVAL;
	if (getrandom(&constants->key, sizeof(constants->key), 0) < 0)
		return -errno;
	constants->mask_bytes = 8 * (words < RECORD_MASK_WORDS ? words : RECORD_MASK_WORDS);
	return 0;
}

static int on_event(void *context, void *data, size_t size)
{
	struct stream *stream = context;

	return stream_add(stream, data, size);
}

static int make_rings(struct capture *capture, uint32_t ring_bytes, int fd)
{
	int outer = bpf_object__find_map_fd_by_name(capture->object, "rings");
	uint32_t cpu;

	for (cpu = 0; cpu < capture->nr_cpus; cpu++) {
		int ring = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "record", 0, 0, ring_bytes, NULL);

		if (ring < 0)
			return ring;
		capture->ring_fds[cpu] = ring;
		if (bpf_map_update_elem(outer, &cpu, &ring, BPF_ANY))
			return -errno;
		capture->streams[cpu] = stream_new(fd, cpu, capture->nr_cpus);
		if (!capture->streams[cpu])
			return -ENOMEM;
		if (!capture->rings) {
			capture->rings =
				ring_buffer__new(ring, on_event, capture->streams[cpu], NULL);
			if (!capture->rings)
				return -errno;
		} else if (ring_buffer__add(capture->rings, ring, on_event,
					    capture->streams[cpu])) {
			return -errno;
		}
	}
	return 0;
}

static int load(struct capture *capture)
{
	static const char remedy[] = "gthulhu record needs root, and a kernel with sched_ext";
	LIBBPF_OPTS(bpf_object_open_opts, options, .object_name = "gthulhu_record");
	struct bpf_map *rings;
	int err;

	capture->object =
		bpf_object__open_mem(record_object, record_object_end - record_object, &options);
	if (!capture->object)
		return log_error(errno, NULL, "cannot open the recorder's programs");
	choose_programs(capture);
	rings = bpf_object__find_map_by_name(capture->object, "rings");
	err = set_constants(capture);
	if (!err && rings)
		err = bpf_map__set_max_entries(rings, capture->nr_cpus);
	if (!err)
		err = bpf_object__load(capture->object);
	if (!err)
		return 0;
	log_error(-err, err == -EPERM ? "run it as root" : remedy,
		  "the kernel refuses the recorder's programs: %s", strerror(-err));
	log_libbpf_tail();
	return err;
}

int capture_open(struct capture *capture, uint32_t ring_bytes, int fd)
{
	int nr_cpus = libbpf_num_possible_cpus();
	uint32_t cpu;
	int err;

	memset(capture, 0, sizeof(*capture));
	if (nr_cpus < 0)
		return log_error(-nr_cpus, NULL, "cannot read the number of CPUs");
	err = kbtf_open(&capture->kernel);
	if (err)
		return log_error(-err, "boot a kernel that was built with CONFIG_DEBUG_INFO_BTF",
				 "the kernel has no BTF (/sys/kernel/btf/vmlinux): %s",
				 strerror(-err));
	kbtf_share(&capture->kernel);
	capture->streams = calloc(nr_cpus, sizeof(*capture->streams));
	capture->states = calloc(nr_cpus, sizeof(*capture->states));
	capture->told = calloc(nr_cpus, sizeof(*capture->told));
	capture->ring_fds = calloc(nr_cpus, sizeof(*capture->ring_fds));
	if (!capture->streams || !capture->states || !capture->told || !capture->ring_fds)
		return log_error(ENOMEM, NULL, "no memory");
	capture->nr_cpus = nr_cpus;
	for (cpu = 0; cpu < capture->nr_cpus; cpu++)
		capture->ring_fds[cpu] = -1;
	err = load(capture);
	if (err)
		return err;
	err = make_rings(capture, ring_bytes, fd);
	if (err)
		log_error(-err, "choose smaller ones with --buffer",
			  "cannot make a buffer of %u kB for each of %u CPUs: %s", ring_bytes >> 10,
			  capture->nr_cpus, strerror(-err));
	return err;
}

/* Adds the tasks that exist. */
static int add_tasks(struct capture *capture)
{
	struct bpf_program *program =
		bpf_object__find_program_by_name(capture->object, "record_tasks");
	struct bpf_link *link = bpf_program__attach_iter(program, NULL);
	struct {
		struct record_event event;
		struct record_task task;
	} one;
	ssize_t got = 0;
	int err = 0;
	int fd;

	if (!link)
		return -errno;
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0)
		err = fd;
	/* The kernel hands out whole events. */
	while (!err && (got = read(fd, &one, sizeof(one))) == sizeof(one))
		err = stream_add(capture->streams[0], &one.event, sizeof(one));
	if (!err && got < 0)
		err = -errno;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return err;
}

static int attach(struct capture *capture)
{
	struct bpf_program *program;
	unsigned int nr = 0;

	bpf_object__for_each_program(program, capture->object) {
		if (bpf_program__type(program) != BPF_PROG_TYPE_TRACING ||
		    bpf_program__expected_attach_type(program) != BPF_TRACE_RAW_TP ||
		    !bpf_program__autoload(program) || nr == MOST_PROGRAMS)
			continue;
		capture->links[nr] = bpf_program__attach(program);
		if (!capture->links[nr])
			return log_error(errno, NULL, "cannot attach %s: %s",
					 bpf_program__section_name(program), strerror(errno));
		nr++;
	}
	return 0;
}

int capture_begin(struct capture *capture)
{
	int err = start_cgroups(capture->streams[0], now_ns());

	if (!err)
		err = start_programs(capture->streams[0], now_ns());
	if (!err)
		err = add_tasks(capture);
	if (err)
		return log_error(-err, NULL, "cannot read what runs: %s", strerror(-err));
	return attach(capture);
}

int capture_drain(struct capture *capture)
{
	int got = ring_buffer__consume(capture->rings);

	if (got < 0 && !capture->err)
		capture->err = got;
	return capture->err;
}

unsigned int capture_fill(const struct capture *capture)
{
	size_t most = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < capture->nr_cpus; cpu++) {
		struct ring *ring = ring_buffer__ring(capture->rings, cpu);
		size_t fill = ring__avail_data_size(ring) * 100 / ring__size(ring);

		if (fill > most)
			most = fill;
	}
	return most;
}

int capture_count(struct capture *capture)
{
	int states = bpf_object__find_map_fd_by_name(capture->object, "cpu_states");
	uint32_t zero = 0;
	uint32_t cpu;
	int err = 0;

	if (bpf_map_lookup_elem(states, &zero, capture->states))
		return -errno;
	for (cpu = 0; !err && cpu < capture->nr_cpus; cpu++) {
		uint64_t lost = capture->states[cpu].lost;
		struct record_event event = {
			.at_ns = now_ns(),
			.argument = lost - capture->told[cpu],
			.kind = RECORD_LOST,
		};

		if (lost != capture->told[cpu])
			err = stream_add(capture->streams[cpu], &event, sizeof(event));
		capture->told[cpu] = lost;
		if (!err)
			err = stream_flush(capture->streams[cpu]);
	}
	return err;
}

void capture_end(struct capture *capture)
{
	unsigned int i;

	for (i = 0; i < MOST_PROGRAMS; i++) {
		bpf_link__destroy(capture->links[i]);
		capture->links[i] = NULL;
	}
}

void capture_close(struct capture *capture)
{
	uint32_t cpu;

	capture_end(capture);
	ring_buffer__free(capture->rings);
	for (cpu = 0; cpu < capture->nr_cpus; cpu++) {
		if (capture->ring_fds[cpu] >= 0)
			close(capture->ring_fds[cpu]);
		free(capture->streams[cpu]);
	}
	free(capture->streams);
	free(capture->states);
	free(capture->told);
	free(capture->ring_fds);
	bpf_object__close(capture->object);
	kbtf_close(&capture->kernel);
	memset(capture, 0, sizeof(*capture));
}
