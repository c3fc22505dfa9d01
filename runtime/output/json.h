/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes one line of JSON. Only json_end() reports that memory ran out. */
#ifndef GTHULHU_JSON_H
#define GTHULHU_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

struct json {
	FILE *file; /* owned; NULL: out of memory */
	char *text; /* the buffer of file; owned */
	size_t len;
	bool later; /* the current object or array has members already */
};

/* Begins an object; the caller must call json_end(). */
void json_begin(struct json *json);

/* Ends the object. Returns the line with its newline, which the caller must free; NULL: no memory. */
char *json_end(struct json *json);

/* These write a member of the object. */

/* A text; bytes that are not UTF-8 become U+FFFD. */
void json_string(struct json *json, const char *key, const char *text);

/* A number. */
void json_number(struct json *json, const char *key, uint64_t number);

/* An array of nr numbers. */
void json_numbers(struct json *json, const char *key, const unsigned long long *numbers, size_t nr);

/* true or false. */
void json_bool(struct json *json, const char *key, bool is_true);

/* The time in UTC, such as "2026-11-22T08:56:45Z". */
void json_time(struct json *json, const char *key, time_t at);

/* Begins a member that is an array of objects; the caller must call json_array_end(). */
void json_array_begin(struct json *json, const char *key);

/* Begins an object of the array; the caller must call json_element_end(). */
void json_element_begin(struct json *json);

/* Ends the object; another one or the end of the array must follow. */
void json_element_end(struct json *json);

/* Ends the array. */
void json_array_end(struct json *json);

#endif /* GTHULHU_JSON_H */
