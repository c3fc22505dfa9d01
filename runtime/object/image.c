// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "object/image.h"
#include "output/log.h"

/* A generated object has about 100 kB; with 15,000 names in the policy, a few MB. */
#define SIZE_MAX_SANE (256UL << 20)

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HOST_ORDER ELFDATA2LSB
#define HOST_ORDER_NAME "little"
#define OTHER_ORDER_NAME "big"
#else
#define HOST_ORDER ELFDATA2MSB
#define HOST_ORDER_NAME "big"
#define OTHER_ORDER_NAME "little"
#endif

static const char remedy_object[] =
	"give it the file that `gthulhuc POLICY.gpl -o POLICY.bpf.o` wrote";
static const char remedy_again[] = "compile the policy again, or copy the file again";

static int read_file(const char *path, const char *name, void **image, size_t *size)
{
	struct stat st;
	char *buffer = NULL;
	size_t done = 0;
	int err = 0;
	int fd;

	/* O_NONBLOCK: do not wait for the writer of a FIFO, which is refused. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return log_error(errno, errno == ENOENT ? remedy_object : NULL, "%s: %s", name,
				 strerror(errno));
	if (fstat(fd, &st) < 0) {
		err = log_error(errno, NULL, "%s: %s", name, strerror(errno));
		goto out;
	}
	if (!S_ISREG(st.st_mode)) {
		err = log_error(EINVAL, remedy_object, "%s: not a regular file", name);
		goto out;
	}
	if ((size_t)st.st_size > SIZE_MAX_SANE) {
		err = log_error(EFBIG, remedy_object, "%s: too large for a policy object", name);
		goto out;
	}
	/* One more byte, so that an empty file has a buffer, too. */
	buffer = malloc(st.st_size + 1);
	if (!buffer) {
		err = log_error(ENOMEM, NULL, "%s: out of memory", name);
		goto out;
	}
	while (done < (size_t)st.st_size) {
		ssize_t n = read(fd, buffer + done, st.st_size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			err = log_error(n ? errno : EIO, NULL, "%s: %s", name,
					n ? strerror(errno) : "the file shrank while it was read");
			goto out;
		}
		done += n;
	}
	*image = buffer;
	*size = done;
	buffer = NULL;
out:
	free(buffer);
	close(fd);
	return err;
}

static bool lies_within(size_t size, uint64_t offset, uint64_t length)
{
	return offset <= size && length <= size - offset;
}

static Elf64_Shdr section_of(const char *image, const Elf64_Ehdr *header, unsigned int i)
{
	Elf64_Shdr section;

	memcpy(&section, image + header->e_shoff + i * sizeof(section), sizeof(section));
	return section;
}

/*
 * Whether each symbol lies within its section. libbpf before 1.6 reads programs at their symbols with
 * a check that overflows.
 */
static bool symbols_lie_within(const char *image, const Elf64_Ehdr *header, const Elf64_Shdr *table)
{
	Elf64_Shdr section;
	Elf64_Sym symbol;

	for (size_t at = 0; at + sizeof(symbol) <= table->sh_size; at += sizeof(symbol)) {
		memcpy(&symbol, image + table->sh_offset + at, sizeof(symbol));
		if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx >= header->e_shnum)
			continue; /* no section's, or one that libbpf refuses */
		section = section_of(image, header, symbol.st_shndx);
		if (!lies_within(section.sh_size, symbol.st_value, symbol.st_size))
			return false;
	}
	return true;
}

static int check_sections(const char *path, const char *image, size_t size)
{
	Elf64_Ehdr header;

	memcpy(&header, image, sizeof(header));
	if (header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 ||
	    header.e_shstrndx >= header.e_shnum ||
	    !lies_within(size, header.e_shoff, (uint64_t)header.e_shnum * sizeof(Elf64_Shdr)))
		return log_error(EINVAL, remedy_again, "%s: truncated or corrupt ELF object", path);

	for (unsigned int i = 0; i < header.e_shnum; i++) {
		Elf64_Shdr section = section_of(image, &header, i);

		if (section.sh_type == SHT_NOBITS)
			continue;
		if (!lies_within(size, section.sh_offset, section.sh_size) ||
		    (section.sh_type == SHT_SYMTAB &&
		     !symbols_lie_within(image, &header, &section)))
			return log_error(EINVAL, remedy_again,
					 "%s: truncated or corrupt ELF object (section %u)", path,
					 i);
	}
	return 0;
}

/* The remedy for a file that is not an object, which may be a source. */
static const char *remedy_compile(const char *path, char *text, size_t size)
{
	const char *suffix = strrchr(path, '.');

	if (!suffix || strcmp(suffix, ".gpl"))
		return remedy_object;
	snprintf(text, size, "`gthulhu run %s` compiles it first", path);
	return text;
}

static int check_header(const char *path, const char *image, size_t size)
{
	char remedy[PATH_MAX + 64];
	Elf64_Ehdr header;

	if (size < EI_NIDENT || memcmp(image, ELFMAG, SELFMAG))
		return log_error(EINVAL, remedy_compile(path, remedy, sizeof(remedy)),
				 "%s: not an ELF object", path);
	if (image[EI_DATA] != HOST_ORDER && image[EI_DATA] != ELFDATANONE)
		return log_error(EINVAL, "compile the policy for this machine",
				 "%s: built for a " OTHER_ORDER_NAME
				 "-endian machine, this one is " HOST_ORDER_NAME "-endian",
				 path);
	if (image[EI_CLASS] != ELFCLASS64 || image[EI_DATA] != HOST_ORDER)
		return log_error(EINVAL, remedy_object, "%s: not a 64-bit BPF object", path);
	if (size < sizeof(header))
		return log_error(EINVAL, remedy_again, "%s: truncated ELF object", path);
	memcpy(&header, image, sizeof(header));
	if (header.e_machine != EM_BPF || header.e_type != ET_REL)
		return log_error(EINVAL, remedy_object,
				 "%s: an ELF file, but not a BPF object (machine %u, type %u)",
				 path, header.e_machine, header.e_type);
	return 0;
}

int image_read(const char *path, const char *name, void **image, size_t *size)
{
	int err;

	err = read_file(path, name, image, size);
	if (err)
		return err;
	err = check_header(name, *image, *size);
	if (!err)
		err = check_sections(name, *image, *size);
	if (err) {
		free(*image);
		*image = NULL;
	}
	return err;
}
