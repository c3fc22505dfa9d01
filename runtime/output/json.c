// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>

#include "output/json.h"

static void put(struct json *json, const char *text)
{
	if (json->file)
		fputs(text, json->file);
}

/* The length of the UTF-8 character at this place, in bytes; 0: invalid. */
static unsigned int utf8_len(const unsigned char *at)
{
	unsigned int len = *at < 0x80 ? 1 : *at < 0xc2 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;

	if (*at > 0xf4)
		return 0;
	for (unsigned int i = 1; i < len; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	}
	/* An overlong form, a surrogate, or past the last character. */
	if ((*at == 0xe0 && at[1] < 0xa0) || (*at == 0xed && at[1] > 0x9f) ||
	    (*at == 0xf0 && at[1] < 0x90) || (*at == 0xf4 && at[1] > 0x8f))
		return 0;
	return len;
}

static void put_string(struct json *json, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	if (!json->file)
		return;
	fputc('"', json->file);
	while (*at) {
		unsigned int len = utf8_len(at);

		if (!len)
			fputs("\\ufffd", json->file);
		else if (*at < 0x20 || *at == 0x7f)
			fprintf(json->file, "\\u%04x", *at);
		else
			fprintf(json->file, "%s%.*s", *at == '"' || *at == '\\' ? "\\" : "",
				(int)len, (const char *)at);
		at += len ? len : 1;
	}
	fputc('"', json->file);
}

static void put_key(struct json *json, const char *key)
{
	put(json, json->later ? ", " : "");
	json->later = true;
	put_string(json, key);
	put(json, ": ");
}

void json_begin(struct json *json)
{
	json->text = NULL;
	json->later = false;
	json->file = open_memstream(&json->text, &json->len);
	put(json, "{");
}

char *json_end(struct json *json)
{
	put(json, "}\n");
	if (!json->file)
		return NULL;
	if (!ferror(json->file) && !fclose(json->file))
		return json->text;
	free(json->text);
	return NULL;
}

void json_string(struct json *json, const char *key, const char *text)
{
	put_key(json, key);
	put_string(json, text);
}

void json_number(struct json *json, const char *key, uint64_t number)
{
	put_key(json, key);
	if (json->file)
		fprintf(json->file, "%" PRIu64, number);
}

void json_numbers(struct json *json, const char *key, const unsigned long long *numbers, size_t nr)
{
	put_key(json, key);
	put(json, "[");
	for (size_t i = 0; i < nr && json->file; i++)
		fprintf(json->file, "%s%llu", i ? ", " : "", numbers[i]);
	put(json, "]");
}

void json_bool(struct json *json, const char *key, bool is_true)
{
	put_key(json, key);
	put(json, is_true ? "true" : "false");
}

void json_time(struct json *json, const char *key, time_t at)
{
	char text[32];
	struct tm utc;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&at, &utc));
	json_string(json, key, text);
}

void json_array_begin(struct json *json, const char *key)
{
	put_key(json, key);
	put(json, "[");
	json->later = false;
}

void json_element_begin(struct json *json)
{
	put(json, json->later ? ", {" : "{");
	json->later = false;
}

void json_element_end(struct json *json)
{
	put(json, "}");
	json->later = true;
}

void json_array_end(struct json *json)
{
	put(json, "]");
	json->later = true;
}
