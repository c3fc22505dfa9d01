/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libbpf's header of this name, for a scheduler that is compiled for the host:
 * helpers are functions of the model (../machine.h says where), maps carry
 * their types to them, and every function of the kernel has to be there. One
 * that is not is named when the scheduler is loaded.
 */
#ifndef HOST_BPF_HELPERS_H
#define HOST_BPF_HELPERS_H

struct task_struct;
struct cgroup;

/* A section is what the loader knows a program by, here as there. */
#define SEC(name) __attribute__((section(name), used))
#define __ksym
#define __weak
#define __kptr
#define __arg_trusted
#define __arg_nonnull
#define __hidden
#undef __always_inline
#define __always_inline inline __attribute__((always_inline))
#define __noinline __attribute__((noinline))
#define __uint(name, value) int (*name)[value]
#define __type(name, value) __typeof__(value) *name
/* clang's; an assumption that does not hold is undefined there, and found here. */
#define __builtin_assume(what) ((what) ? (void)0 : __builtin_trap())
#define barrier() asm volatile("" ::: "memory")

/* Which functions there are depends on the kernel that is modelled. */
_Bool host_has(const char *function);
#define bpf_ksym_exists(function) host_has(#function)

/* Maps: what a map holds is known where it is used. */
void *host_task_storage(void *map, u64 size, struct task_struct *p, const void *init, u64 flags);
long host_task_storage_delete(void *map, struct task_struct *p);
void *host_cgroup_storage(void *map, u64 size, struct cgroup *cgrp, const void *init, u64 flags);
void *host_array_element(void *map, const char *name, u32 type, u64 nr, u64 size, const void *key);

#define bpf_task_storage_get(map, p, init, flags)                                                  \
	host_task_storage(map, sizeof(*(map)->value), p, init, flags)
#define bpf_task_storage_delete(map, p) host_task_storage_delete(map, p)
#define bpf_cgrp_storage_get(map, cgrp, init, flags)                                               \
	host_cgroup_storage(map, sizeof(*(map)->value), cgrp, init, flags)
#define bpf_map_lookup_elem(map, key)                                                              \
	host_array_element(map, #map, sizeof(*(map)->type) / sizeof(int),                          \
			   sizeof(*(map)->max_entries) / sizeof(int), sizeof(*(map)->value), key)

void *host_kptr_exchange(void **slot, void *fresh);
#define bpf_kptr_xchg(slot, fresh) ((__typeof__(*(slot)))host_kptr_exchange((void **)(slot), fresh))

long host_timer_init(void *timer, void *map, u64 flags);
long host_timer_set_callback(void *timer, void *callback);
long host_timer_start(void *timer, u64 after_ns, u64 flags);
long host_timer_cancel(void *timer);
#define bpf_timer_init(timer, map, flags) host_timer_init(timer, map, flags)
#define bpf_timer_set_callback(timer, callback) host_timer_set_callback(timer, callback)
#define bpf_timer_start(timer, after_ns, flags) host_timer_start(timer, after_ns, flags)
#define bpf_timer_cancel(timer) host_timer_cancel(timer)

u64 bpf_ktime_get_ns(void);
u64 bpf_jiffies64(void);
long bpf_ringbuf_output(void *map, void *data, u64 size, u64 flags);
#define bpf_this_cpu_ptr(variable) ((void *)(variable))
u32 bpf_get_smp_processor_id(void);
u32 bpf_get_prandom_u32(void);
struct task_struct *bpf_get_current_task_btf(void);
long bpf_probe_read_kernel(void *to, u32 size, const void *from);
long bpf_probe_read_kernel_str(void *to, u32 size, const void *from);

#define bpf_for(i, start, end) for ((i) = (start); (i) < (end); (i)++)
#define bpf_repeat(times) for (int ___i = 0; ___i < (times); ___i++)
#define bpf_for_each(type, current, args...)                                                       \
	for (struct bpf_iter_##type ___it __attribute__((cleanup(bpf_iter_##type##_destroy))),     \
	     *___once __attribute__((unused)) = (bpf_iter_##type##_new(&___it, ##args), NULL);     \
	     ((current) = bpf_iter_##type##_next(&___it));)

#endif /* HOST_BPF_HELPERS_H */
