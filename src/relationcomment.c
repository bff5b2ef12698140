/*
 * relationcomment.c
 *
 * Comments of relations, and what SHOW CREATE keeps behind them: options or a query,
 * which begin a line with WITH or AS.
 *
 * A comment of the user's own may have such lines, too.  Then a last line tells where
 * it ends; neither options nor queries end in a line like that.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"

#include "relationcomment.h"

#define MARKER "-- comment of %d characters"

static bool is_ambiguous(const char *own);
static int	marked_length(const char *line);

/* A comment of a relation: its own, and what is kept; each may be NULL. */
char *
aw_relationcomment_join(const char *own, const char *kept)
{
	StringInfoData comment;

	initStringInfo(&comment);
	if (own != NULL)
		appendStringInfoString(&comment, own);
	if (own != NULL && kept != NULL)
		appendStringInfoChar(&comment, '\n');
	if (kept != NULL)
		appendStringInfoString(&comment, kept);
	if (own != NULL && is_ambiguous(own))
		appendStringInfo(&comment, "\n" MARKER, pg_mbstrlen(own));
	return comment.data;
}

/*
 * Cuts what is kept off a comment, where a last line says where that begins; returns
 * it, palloc'd and perhaps empty, or NULL if no such line is there.
 */
char *
aw_relationcomment_split(char *comment)
{
	char	   *last = strrchr(comment, '\n');
	int			length = last == NULL ? -1 : marked_length(last + 1);
	int			n_bytes;

	if (length < 0 || length > pg_mbstrlen_with_len(comment, last - comment))
		return NULL;
	n_bytes = pg_mbcharcliplen(comment, last - comment, length);
	if (comment[n_bytes] != '\n')
		return NULL;

	*last = '\0';
	if (comment + n_bytes == last)
		return pstrdup("");
	comment[n_bytes] = '\0';
	return pstrdup(comment + n_bytes + 1);
}

/* Has a comment a line that might be taken for what is kept, or for the last line? */
static bool
is_ambiguous(const char *own)
{
	for (const char *line = own; line != NULL; line = strchr(line, '\n'))
	{
		line += *line == '\n' ? 1 : 0;
		if ((pg_strncasecmp(line, "AS", 2) == 0 && isspace((unsigned char) line[2])) ||
			(pg_strncasecmp(line, "WITH", 4) == 0 && isspace((unsigned char) line[4])) ||
			marked_length(line) >= 0)
			return true;
	}
	return false;
}

/* The length that a line tells; -1 if it is another line. */
static int
marked_length(const char *line)
{
	int			length;
	int			end = 0;

	if (sscanf(line, MARKER "%n", &length, &end) != 1 || end == 0 ||
		(line[end] != '\0' && line[end] != '\n'))
		return -1;
	return length;
}
