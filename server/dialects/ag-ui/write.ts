import { argsOf, endsOf, type Answered, type End } from '../dialect.ts';
import { withDefaults } from '../schema.ts';
import type { Kept } from './read.ts';

/** The `resume` of the next run: one entry for each interrupt, cancelled where nobody decided. */
export function write(keep: unknown, inquiries: Answered[]): unknown {
  return (keep as Kept).flatMap((kept, at) => {
    const inquiry = inquiries[at];
    return inquiry ? [{ interruptId: kept.id, ...answerOf(kept, inquiry) }] : [];
  });
}

function answerOf(kept: Kept[number], inquiry: Answered): object {
  const { outcome, answer, text } = inquiry.resolution;
  if (kept.as === 'call') return endOf(endsOf([inquiry])[0], text);
  if (outcome !== 'answered' || !answer) return cancelled(text);
  if (kept.as === 'text') return { status: 'resolved', payload: answer.text };
  const [question] = inquiry.questions ?? [];
  const values = withDefaults(question?.type === 'form' ? question.schema : undefined, answer.values?.['response']);
  const payload = kept.wrapped ? (values as { response?: unknown }).response : values;
  // Its schema refuses a null there.
  return { status: 'resolved', ...(payload === null ? {} : { payload }) };
}

function endOf(end: End | undefined, text: string): object {
  switch (end?.type) {
    case 'approve':
      return { status: 'resolved', payload: { approved: true } };
    case 'edit':
      return { status: 'resolved', payload: { approved: true, editedArgs: argsOf(end) } };
    case 'reject':
      return no(end.message);
    case 'declined':
      return no(end.text);
    case 'nobody':
    case 'respond':
    case undefined:
      return cancelled(text);
  }
}

function no(reason: string | undefined): object {
  return { status: 'resolved', payload: { approved: false, ...(reason === undefined ? {} : { reason }) } };
}

// The framework has no member for words beside an answer; metadata is open.
function cancelled(reason: string): object {
  return { status: 'cancelled', metadata: { reason } };
}
