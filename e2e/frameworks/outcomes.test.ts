import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerBody, Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { Agent, type Call, type Round, type Told } from './agent.ts';
import { openExamples, type Examples } from './installed.ts';

/**
 * Every framework and every end of a question, in columns. `refused`: the end is not offered, so the hub refuses it on
 * the device and the question stays open; `open`: the framework has no word for "no", so its run stays interrupted.
 */
const TABLE = `
           approve edit    reject  respond always  never   words   both    first   mixed   second  decline expire  withdraw
langchain  runs    edited  not     refused refused refused refused both    not     -       -       not     not     not
deepagents runs    edited  not     refused refused refused refused both    not     -       -       not     not     not
langgraph  refused refused refused refused refused refused runs    -       -       -       -       open    open    open
openai     runs    refused not     refused both    not     refused both    runs    other   runs    not     not     not
ai-sdk     runs    refused not     answers refused refused refused both    runs    -       -       not     not     not
ag-ui      runs    edited  not     refused refused refused refused both    runs    -       -       not     not     not
`;
const [columns = [], ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/ +/));

/** What becomes of the tool, and what the agent says then. */
const BECOMES: Record<string, { means: string; ran: string[]; said?: string }> = {
  runs: { means: 'the tool runs once', ran: ['old'] },
  other: { means: 'the tool runs for the other call alone', ran: ['new'] },
  edited: { means: 'the tool runs with what the person wrote', ran: ['archive'], said: 'Deleted archive.' },
  both: { means: 'the tool runs for each call', ran: ['old', 'new'], said: 'Deleted old. | Deleted new.' },
  answers: { means: 'no tool runs, and the agent has the words', ran: [], said: 'old' },
  not: { means: 'the tool does not run, and the agent is told why', ran: [] },
  open: { means: 'the tool does not run, and the run stays interrupted', ran: [] },
  refused: { means: 'the answer is refused and the tool does not run', ran: [] },
};
const WHY: Record<string, RegExp> = {
  decline: /The person declined[^]*Not today\./,
  expire: /Nobody decided/,
  withdraw: /taken back before anybody answered/,
};

const OLD: Call = ['delete_records', { table: 'old' }];
const NEW: Call = ['delete_records', { table: 'new' }];
/** Ends of two calls at once. */
const PAIRS = ['both', 'first', 'mixed', 'second'];
describe('[DIA1] a tool runs only after a person approved or edited it', { timeout: 240_000, concurrency: 2 }, () => {
  let at: Examples;

  before(async () => {
    at = await openExamples();
  });
  after(() => at?.remove());

  for (const [name = '', ...row] of rows) {
    const cases = row.flatMap((becomes, at) => (becomes === '-' ? [] : [{ end: columns[at] ?? '', becomes }]));

    describe(name, () => {
      let agents: Agent[];
      before(async () => {
        const rounds = cases.map(({ end }) => roundOf(name, end));
        agents = await Agent.rounds({ ...at, name }, rounds);
      });

      for (const [at, { end, becomes }] of cases.entries())
        test(`[DIA1] ${name}, ${end}: ${BECOMES[becomes]?.means}`, async () => {
          const agent = agents[at]!;
          // AG-UI asks about each call by itself.
          const asked = await agent.asked(name === 'ag-ui' && PAIRS.includes(end) ? 2 : 1);
          deepStrictEqual(agent.told, { ran: [], said: '', err: '' });
          for (const [place, inquiry] of asked.entries()) {
            const answer = answerOf(name, end, asked.length === 1 ? undefined : place);
            if (answer)
              deepStrictEqual((await agent.answer(inquiry, answer)).status, becomes === 'refused' ? 422 : 200);
            if (becomes === 'refused')
              deepStrictEqual([agent.told.ran, (await agent.inquiries())[place]?.resolution], [[], undefined]);
            if (becomes === 'refused' || end === 'withdraw') await agent.withdraw(inquiry);
          }
          const told = await agent.ended();
          // What comes too late changes nothing.
          for (const inquiry of asked) deepStrictEqual((await agent.answer(inquiry, fitting(inquiry))).status, 409);
          deepStrictEqual((await agent.inquiries()).length, asked.length);
          shows(told, { end, becomes });
        });
    });
  }
});

/** Compares what an example wrote with what it should have. */
function shows({ ran, said, err }: Told, { end, becomes }: { end: string; becomes: string }): void {
  const expected = BECOMES[becomes];
  deepStrictEqual(ran, expected?.ran);
  if (becomes === 'runs') match(said, /^Deleted old\./);
  else if (expected?.said !== undefined) deepStrictEqual(said, expected.said);
  if (becomes === 'not') match(said, WHY[end] ?? /Archive first\./);
  if (becomes === 'open') match(err, /AskError[^]*ask\.unanswered/);
  else if (becomes !== 'refused') deepStrictEqual(err, '');
}

function roundOf(name: string, end: string): Round {
  const env = end === 'expire' ? { DEADLINE: '1' } : {};
  if (name === 'ai-sdk' && end === 'respond') return { turns: [[['ask_user', { question: 'Which?' }]]], env };
  if (name === 'openai' && (end === 'always' || end === 'never')) return { turns: [[OLD], [NEW]], env };
  return { turns: [PAIRS.includes(end) ? [OLD, NEW] : [OLD]], env };
}

/** An answer that fits, an approval where there is one. */
function fitting({ actions }: Inquiry): AnswerBody {
  if (!actions) return { text: 'old' };
  const decisions = actions.map(({ allowed, options }): Decision => {
    if (!allowed.includes('approve')) return { type: 'respond', message: 'old' };
    return { type: 'approve', ...(options ? { optionId: 'approve' } : {}) };
  });
  return { decisions };
}

/** What a person sends, to the inquiry about one call or about all; undefined where nobody answers. */
function answerOf(name: string, end: string, place?: number): AnswerBody | undefined {
  // Where the source offers buttons, a person chooses one.
  const chosen = (optionId: string) => (name === 'openai' ? { optionId } : {});
  const approve: Decision = { type: 'approve', ...chosen('approve') };
  const reject: Decision = { type: 'reject', message: 'Archive first.', ...chosen('reject') };
  const decisions: Record<string, Decision[]> = {
    approve: [approve],
    edit: [{ type: 'edit', args: { table: 'archive' } }],
    reject: [reject],
    respond: [{ type: 'respond', message: 'old' }],
    always: [{ type: 'approve', optionId: 'approve-always' }],
    never: [{ ...reject, optionId: 'reject-always' }],
    both: [approve, approve],
    first: [approve, reject],
    mixed: [reject, { ...approve, optionId: 'approve-always' }],
    second: [approve, { ...reject, optionId: 'reject-always' }],
  };
  if (end === 'words') return { text: 'old' };
  if (end === 'decline') return { outcome: 'declined', message: 'Not today.' };
  const all = decisions[end];
  return all && { decisions: place === undefined ? all : all.slice(place, place + 1) };
}
