/*
 * flinkoutput.c
 *
 * The SQL that is being written: words, and where lines may break.
 *
 * The translator writes a sequence of pieces: words with the place in the source
 * that they come from, breaks, and the two ends of groups.  Only at the end is it
 * laid out: a group that fits on its line has no line ends; of one that does not,
 * every clause begins a line.  So the translator need not know how long anything
 * gets, and may put a word before what it has written already.
 *
 * Words are separated by a space, unless one of them says that it is glued.  Two
 * symbols are never glued to each other, lest they make another operator or begin
 * a comment.
 */
#include "postgres.h"

#include "lib/stringinfo.h"

#include "flinkoutput.h"

#define LINE_WIDTH 90
#define INDENT 4
#define MAX_INDENT 40

typedef enum PieceKind
{
	PIECE_WORD,
	PIECE_BREAK,
	PIECE_OPEN,
	PIECE_CLOSE
} PieceKind;

typedef struct Piece
{
	PieceKind	kind;
	AwFlinkBreak break_kind;
	bool		glue_left;
	bool		glue_right;
	bool		is_indented;	/* of an open end: the group's lines are */
	char	   *text;
	int			source;
	int			width;			/* of an open end: of the group, on one line */
	int			close;			/* of an open end: the other one's number */
} Piece;

struct AwFlinkOutput
{
	Piece	   *pieces;
	int			n_pieces;
	int			size;
	AwFlinkText *inner;
};

/* A group that is being laid out. */
typedef struct Group
{
	int			indent;
	bool		is_flat;
	struct Group *outer;
} Group;

/* The layout so far. */
typedef struct Layout
{
	const AwFlinkOutput *output;
	StringInfoData sql;
	int			line_start;		/* bytes */
	bool		is_glued;		/* no space before the next word */
	Group	   *group;
	AwFlinkText *text;
} Layout;

static Piece *add_piece(AwFlinkOutput *output, PieceKind kind);
static Piece *last_word(AwFlinkOutput *output);
static void measure(const AwFlinkOutput *output);
static int	flat_width(const Piece *piece);
static void lay_out_word(Layout *layout, const Piece *piece);
static bool is_spaced(const Layout *layout, const Piece *piece);
static bool is_symbol(char c);
static void lay_out_break(Layout *layout, int at);
static bool fits(const Layout *layout, int at);
static void end_line(Layout *layout);
static void enter_group(Layout *layout, const Piece *open);
static void leave_group(Layout *layout);

AwFlinkOutput *
aw_flinkoutput_create(void)
{
	AwFlinkOutput *output = palloc0(sizeof(AwFlinkOutput));

	output->size = 64;
	output->pieces = palloc_array(Piece, output->size);
	return output;
}

/* The place where the next piece goes, for aw_flinkoutput_insert(). */
int
aw_flinkoutput_here(const AwFlinkOutput *output)
{
	return output->n_pieces;
}

/* A word; source is where it comes from, in bytes. */
void
aw_flinkoutput_word(AwFlinkOutput *output, const char *text, int source)
{
	Piece	   *piece = add_piece(output, PIECE_WORD);

	piece->text = pstrdup(text);
	piece->source = source;
}

/* A word with no space before it. */
void
aw_flinkoutput_glued(AwFlinkOutput *output, const char *text, int source)
{
	aw_flinkoutput_word(output, text, source);
	output->pieces[output->n_pieces - 1].glue_left = true;
}

/* No space behind the last word. */
void
aw_flinkoutput_glue_next(AwFlinkOutput *output)
{
	last_word(output)->glue_right = true;
}

/* A word before what stands at a place, glued to it. */
void
aw_flinkoutput_insert(AwFlinkOutput *output, int at, const char *text, int source)
{
	Piece		moved;

	aw_flinkoutput_word(output, text, source);
	moved = output->pieces[output->n_pieces - 1];
	moved.glue_right = true;
	memmove(&output->pieces[at + 1], &output->pieces[at],
			sizeof(Piece) * (output->n_pieces - 1 - at));
	output->pieces[at] = moved;
}

/* All that is in another output, whose groups are closed, and which has no inner text. */
void
aw_flinkoutput_append(AwFlinkOutput *output, const AwFlinkOutput *part)
{
	Assert(part->inner == NULL);
	for (int i = 0; i < part->n_pieces; i++)
		*add_piece(output, part->pieces[i].kind) = part->pieces[i];
}

/* Notes that what is written has another text as a string constant. */
void
aw_flinkoutput_add_inner(AwFlinkOutput *output, AwFlinkText *text)
{
	text->next_inner = output->inner;
	output->inner = text;
}

void
aw_flinkoutput_break(AwFlinkOutput *output, AwFlinkBreak kind)
{
	add_piece(output, PIECE_BREAK)->break_kind = kind;
}

/* Begins a group, whose breaks are all line ends or none is. */
void
aw_flinkoutput_open(AwFlinkOutput *output)
{
	add_piece(output, PIECE_OPEN);
}

/* Indents the lines of a part of a group, which breaks where the group does. */
void
aw_flinkoutput_open_indented(AwFlinkOutput *output)
{
	add_piece(output, PIECE_OPEN)->is_indented = true;
}

void
aw_flinkoutput_close(AwFlinkOutput *output)
{
	add_piece(output, PIECE_CLOSE);
}

/* All that was written, laid out.  Groups must be closed. */
AwFlinkText *
aw_flinkoutput_text(const AwFlinkOutput *output)
{
	Layout		layout = {.output = output, .is_glued = true};
	Group		top = {0};

	initStringInfo(&layout.sql);
	layout.group = &top;
	layout.text = palloc0(sizeof(AwFlinkText));
	layout.text->marks = palloc(sizeof(*layout.text->marks) * (output->n_pieces + 1));
	measure(output);

	for (int i = 0; i < output->n_pieces; i++)
	{
		const Piece *piece = &output->pieces[i];

		switch (piece->kind)
		{
			case PIECE_WORD:
				lay_out_word(&layout, piece);
				break;
			case PIECE_BREAK:
				lay_out_break(&layout, i);
				break;
			case PIECE_OPEN:
				enter_group(&layout, piece);
				break;
			case PIECE_CLOSE:
				leave_group(&layout);
				break;
		}
	}
	layout.text->sql = layout.sql.data;
	layout.text->inner = output->inner;
	return layout.text;
}

/* Where in the source a byte of the text comes from. */
int
aw_flinkoutput_source(const AwFlinkText *text, int at)
{
	int			source = 0;

	for (int i = 0; i < text->n_marks && text->marks[i].at <= at; i++)
		source = text->marks[i].source;
	return source;
}

static Piece *
add_piece(AwFlinkOutput *output, PieceKind kind)
{
	Piece	   *piece;

	if (output->n_pieces == output->size)
	{
		output->size *= 2;
		output->pieces = repalloc_array(output->pieces, Piece, output->size);
	}
	piece = &output->pieces[output->n_pieces++];
	memset(piece, 0, sizeof(Piece));
	piece->kind = kind;
	return piece;
}

static Piece *
last_word(AwFlinkOutput *output)
{
	Piece	   *piece = &output->pieces[output->n_pieces - 1];

	while (piece->kind != PIECE_WORD)
		piece--;
	return piece;
}

/* Sets the width and the other end of every group. */
static void
measure(const AwFlinkOutput *output)
{
	int		   *open = palloc_array(int, output->n_pieces + 1);
	int			depth = 0;
	int			width = 0;

	for (int i = 0; i < output->n_pieces; i++)
	{
		Piece	   *piece = &output->pieces[i];

		if (piece->kind == PIECE_OPEN)
		{
			piece->width = width;
			open[depth++] = i;
		}
		else if (piece->kind == PIECE_CLOSE)
		{
			Piece	   *opened = &output->pieces[open[--depth]];

			opened->width = width - opened->width;
			opened->close = i;
		}
		else
			width = Min(width + flat_width(piece), PG_INT32_MAX / 2);
	}
	Assert(depth == 0);
}

/* Width of a word or break where its group is on one line. */
static int
flat_width(const Piece *piece)
{
	if (piece->kind == PIECE_WORD)
		return strlen(piece->text) + (piece->glue_left || piece->glue_right ? 0 : 1);
	return piece->break_kind == AW_FLINK_BREAK_ALWAYS ? LINE_WIDTH : 0;
}

static void
lay_out_word(Layout *layout, const Piece *piece)
{
	struct AwFlinkMark *mark = &layout->text->marks[layout->text->n_marks++];

	if (is_spaced(layout, piece))
		appendStringInfoChar(&layout->sql, ' ');
	mark->at = layout->sql.len;
	mark->source = piece->source;
	appendStringInfoString(&layout->sql, piece->text);
	layout->is_glued = piece->glue_right;
}

static bool
is_spaced(const Layout *layout, const Piece *piece)
{
	const StringInfoData *sql = &layout->sql;

	if (!piece->glue_left && !layout->is_glued)
		return true;
	return sql->len > 0 && is_symbol(sql->data[sql->len - 1]) && is_symbol(piece->text[0]);
}

static bool
is_symbol(char c)
{
	return c != '\0' && strchr("+-*/%<>=|", c) != NULL;
}

static void
lay_out_break(Layout *layout, int at)
{
	const Piece *piece = &layout->output->pieces[at];

	if (piece->break_kind == AW_FLINK_BREAK_ALWAYS)
		end_line(layout);
	else if (piece->break_kind == AW_FLINK_BREAK_FILL)
	{
		if (!fits(layout, at + 1))
			end_line(layout);
	}
	else if (!layout->group->is_flat)
		end_line(layout);
	else if (piece->break_kind == AW_FLINK_BREAK_EDGE)
		layout->is_glued = true;
}

/* Do the words up to the next break of the same group fit on this line? */
static bool
fits(const Layout *layout, int at)
{
	int			column = layout->sql.len - layout->line_start;

	for (; at < layout->output->n_pieces && column <= LINE_WIDTH; at++)
	{
		const Piece *piece = &layout->output->pieces[at];

		if (piece->kind == PIECE_BREAK || piece->kind == PIECE_CLOSE)
			break;
		if (piece->kind == PIECE_OPEN)
		{
			column += piece->width;
			at = piece->close;
		}
		else
			column += flat_width(piece);
	}
	return column <= LINE_WIDTH;
}

static void
end_line(Layout *layout)
{
	appendStringInfoChar(&layout->sql, '\n');
	layout->line_start = layout->sql.len;
	appendStringInfoSpaces(&layout->sql, layout->group->indent);
	layout->is_glued = true;
}

static void
enter_group(Layout *layout, const Piece *open)
{
	Group	   *group = palloc(sizeof(Group));
	int			column = layout->sql.len - layout->line_start;

	group->outer = layout->group;
	group->indent = Min(group->outer->indent + (open->is_indented ? INDENT : 0), MAX_INDENT);
	group->is_flat = open->is_indented ? group->outer->is_flat :
		column + open->width <= LINE_WIDTH;
	layout->group = group;
}

static void
leave_group(Layout *layout)
{
	layout->group = layout->group->outer;
}
