/*
 * flinkoutput.h
 *
 * The SQL that is being written: words, and where lines may break.
 */
#ifndef AW_FLINKOUTPUT_H
#define AW_FLINKOUTPUT_H

/* What a break is where its group does not fit on the line. */
typedef enum AwFlinkBreak
{
	AW_FLINK_BREAK_CLAUSE,		/* a line end; where the group fits, a space */
	AW_FLINK_BREAK_EDGE,		/* a line end; where the group fits, nothing */
	AW_FLINK_BREAK_FILL,		/* a line end where the next word or group does not fit */
	AW_FLINK_BREAK_ALWAYS		/* a line end, wherever it stands */
} AwFlinkBreak;

typedef struct AwFlinkOutput AwFlinkOutput;

/* A text, and which byte of the source each of its parts comes from. */
typedef struct AwFlinkText
{
	char	   *sql;
	int			n_marks;
	struct AwFlinkMark
	{
		int			at;			/* bytes from the start of sql */
		int			source;		/* bytes from the start of the source */
	}		   *marks;			/* by at, ascending */
	struct AwFlinkText *inner;	/* one that is a string constant in it */
	struct AwFlinkText *next_inner;	/* of the same text */
} AwFlinkText;

extern AwFlinkOutput *aw_flinkoutput_create(void);
extern int	aw_flinkoutput_here(const AwFlinkOutput *output);
extern void aw_flinkoutput_word(AwFlinkOutput *output, const char *text, int source);
extern void aw_flinkoutput_glued(AwFlinkOutput *output, const char *text, int source);
extern void aw_flinkoutput_glue_next(AwFlinkOutput *output);
extern void aw_flinkoutput_insert(AwFlinkOutput *output, int at, const char *text, int source);
extern void aw_flinkoutput_append(AwFlinkOutput *output, const AwFlinkOutput *part);
extern void aw_flinkoutput_add_inner(AwFlinkOutput *output, AwFlinkText *text);
extern void aw_flinkoutput_break(AwFlinkOutput *output, AwFlinkBreak kind);
extern void aw_flinkoutput_open(AwFlinkOutput *output);
extern void aw_flinkoutput_open_indented(AwFlinkOutput *output);
extern void aw_flinkoutput_close(AwFlinkOutput *output);
extern AwFlinkText *aw_flinkoutput_text(const AwFlinkOutput *output);
extern int	aw_flinkoutput_source(const AwFlinkText *text, int at);

#endif							/* AW_FLINKOUTPUT_H */
