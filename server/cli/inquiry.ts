import { randomUUID } from 'node:crypto';
import type { AnswerBody, AnswerContent } from '#shared/answer.ts';
import { titleText } from '#shared/call-name/name.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { runnable } from '../inquiries/validity.ts';
import { outcomeExit, printed } from './asking/printed.ts';
import { readFileOrInput, readJson } from './asking/options.ts';
import { command } from './command/command.ts';
import { hubClient, waitForResolution, type HubCommands } from './command/hub-client.ts';
import { findDeviceHub, findHub } from './command/hub-data.ts';
import { EXIT, onStopSignal, print, printList, UsageError, type Terminal } from './command/terminal.ts';

const LISTED = 50;
const POLL_SECONDS = 60;
const ID = 'inq_01k9zq4m2v7c3h8x5t6r0n1d2e';
const DEVICE = `export BECKON_DEVICE=$(beckon device add owner "Night script" --json | jq -r .accessToken)`;

const inbox = { type: 'boolean', means: 'what waits for the person of BECKON_DEVICE, whoever asked it' } as const;

async function openHub(terminal: Terminal, asDevice = false): Promise<HubCommands> {
  const { url, key } = asDevice ? findDeviceHub(terminal) : await findHub(terminal);
  return hubClient(url, key);
}

const inquiryList = command({
  name: 'list',
  does: `list the last ${LISTED} questions of this key, newest first`,
  options: {
    state: {
      type: 'string',
      value: 'open|resolved|answered|declined|expired|withdrawn',
      means: 'only those that stand so',
    },
    inbox,
  },
  json: true,
  examples: ['beckon list --state open', 'beckon list --json | jq -r ".items[].id"', 'beckon list --inbox'],
  async run({ values, json }, terminal) {
    if (values.inbox && values.state !== undefined)
      throw new UsageError('--inbox lists what is open: leave out --state.');
    const hub = await openHub(terminal, values.inbox);
    const query = new URLSearchParams({ limit: String(LISTED), ...(values.state ? { state: values.state } : {}) });
    const { items } = await hub.list(values.inbox ? 'inbox' : 'inquiries', query);
    const columns = {
      ID: (one: Inquiry) => one.id,
      STATE: (one: Inquiry) => one.state,
      'ASKED BY': (one: Inquiry) => visible(one.source.name, true),
      DEADLINE: (one: Inquiry) => one.deadlineAt,
      TITLE: (one: Inquiry) => titleText(one, 'en'),
    };
    printList(terminal.out, items, { json, columns });
  },
});

const inquiryShow = command({
  name: 'show',
  does: 'print one question and how it stands',
  args: ['ID'],
  options: {
    answer: { type: 'boolean', means: 'wait for its answer, and print that alone, as "beckon ask" does' },
    inbox: { ...inbox, means: 'one that the person of BECKON_DEVICE was asked' },
  },
  json: true,
  exits: {
    0: 'shown; with --answer: answered or approved',
    3: 'with --answer: declined or rejected',
    4: 'with --answer: expired',
    5: 'with --answer: withdrawn',
  },
  examples: [`beckon show ${ID}`, `beckon show ${ID} --answer`],
  async run({ values, args: [id = ''], json }, terminal) {
    const hub = await openHub(terminal, values.inbox);
    const interrupted = new AbortController();
    const unheard = onStopSignal(() => interrupted.abort());
    try {
      const inquiry = await hub.read(id, 0, interrupted.signal);
      if (!values.answer) {
        print(terminal, json, inquiry, describe(inquiry));
        return EXIT.ok;
      }
      const waiting = { seconds: POLL_SECONDS, signal: interrupted.signal };
      const resolution = runnable(inquiry, hub.now()).resolution ?? (await waitForResolution(hub, id, waiting));
      if (resolution === undefined) return EXIT.interrupted;
      const code = outcomeExit(resolution);
      // A choice of "beckon ask" has the one question "answer".
      const isForm = inquiry.questions?.some((one) => one.id !== 'answer' || one.type !== 'choice') ?? false;
      if (json) terminal.out.write(`${JSON.stringify({ id, ...resolution })}\n`);
      else if (code === EXIT.ok) terminal.out.write(`${printed(inquiry, resolution, isForm)}\n`);
      else terminal.err.write(`${resolution.text}\n`);
      return code;
    } finally {
      unheard();
    }
  },
});

const inquiryWithdraw = command({
  name: 'withdraw',
  does: 'take back a question of this key',
  args: ['ID'],
  options: { reason: { type: 'string', value: 'TEXT', means: 'why, for the people who were asked' } },
  json: true,
  examples: [`beckon withdraw ${ID} --reason "The release was called off."`],
  async run({ values, args: [id = ''], json }, terminal) {
    const { resolution } = await (await openHub(terminal)).withdraw(id, values.reason);
    print(terminal, json, { id, ...resolution }, visible(`${id} is ${resolution?.outcome}: ${resolution?.text}`));
  },
});

const inquiryAnswer = command({
  name: 'answer',
  does: 'answer a question as the person of a device',
  args: ['ID', '[TEXT]'],
  options: {
    approve: { type: 'boolean', means: 'approve every call of it as it was sent' },
    reject: { type: 'boolean', means: 'reject every call of it, TEXT being why' },
    decline: { type: 'boolean', means: 'answer nothing of it, TEXT being why' },
    content: {
      type: 'string',
      value: 'FILE',
      means: 'the answer as JSON, as the hub takes it: values, decisions, text, markdown; - reads standard input',
    },
  },
  json: true,
  more: `TEXT alone is the answer to a prompt, or the value or label of an option. The hub is that of BECKON_URL, else the one of this
machine, and BECKON_DEVICE the token of a device: a key of a source cannot answer.`,
  exits: { 0: 'this answer counts', 3: 'somebody else was first; who and what is said on standard error' },
  examples: [
    DEVICE,
    `beckon answer ${ID} "Ship it"`,
    `beckon answer ${ID} --reject "Not on a Friday."`,
    `echo '{"values": {"env": "staging"}}' | beckon answer ${ID} --content -`,
  ],
  async run({ values, args: [id = '', text], json }, terminal) {
    const given = readAnswer(values, text);
    const hub = await openHub(terminal, true);
    const inquiry = await hub.read(id, 0, AbortSignal.timeout(POLL_SECONDS * 1_000));
    const decisions = 'decision' in given ? (inquiry.actions ?? []).map(withOption(given.decision)) : undefined;
    const reply = await hub.answer(id, {
      ...(decisions ? { decisions } : (given as AnswerBody)),
      digest: inquiry.digest,
      answerId: randomUUID(),
    });
    if ('inquiry' in reply) {
      print(
        terminal,
        json,
        { id, won: false, approved: reply.inquiry.approved },
        visible(`${id}: ${sayHands(reply.inquiry)}`),
      );
      return EXIT.ok;
    }
    const { won, resolution } = reply;
    if (json) terminal.out.write(`${JSON.stringify({ id, won, resolution })}\n`);
    else if (won) terminal.out.write(`${id} is ${resolution.outcome}: ${resolution.text}\n`);
    else terminal.err.write(`${visible(`It was resolved before, by ${byWhom(resolution.by)}: ${resolution.text}`)}\n`);
    return won ? EXIT.ok : EXIT.no;
  },
});

type Decision = NonNullable<AnswerContent['decisions']>[number];

/** The same decision by the plain one of the asker's own buttons, where the call has any: not one that remembers or stops. */
function withOption(decision: Decision): (action: Action) => Decision {
  return ({ name, options }) => {
    const own = options?.filter(({ type }) => type === decision.type);
    if (!own || own.length === 0) return decision;
    const plain = own.find(({ remember, stop }) => remember === undefined && !stop);
    if (plain) return { ...decision, optionId: plain.id } as Decision;
    const ids = own.map(({ id }) => id).join(', ');
    throw new UsageError(`${name} has its own ways to ${decision.type}: ${ids}. Name one as optionId with --content.`);
  };
}

function readAnswer(
  { approve, reject, decline, content }: { approve?: boolean; reject?: boolean; decline?: boolean; content?: string },
  text: string | undefined,
): AnswerBody | { decision: Decision } {
  const named = Object.entries({ approve, reject, decline, content }).flatMap(([name, is]) =>
    is ? [`--${name}`] : [],
  );
  if (named.length > 1) throw new UsageError(`${named.join(' and ')} do not go together; write one of them.`);
  const why = text === undefined ? {} : { message: text };
  if (reject) return { decision: { type: 'reject', ...why } };
  if (decline) return { outcome: 'declined', ...why };
  if (named.length === 0 && text !== undefined) return { response: text };
  if (text !== undefined) throw new UsageError(`${named[0]} takes no TEXT beside it.`);
  if (approve) return { decision: { type: 'approve' } };
  if (content === undefined) throw new UsageError('Write TEXT, --approve, --reject, --decline or --content FILE.');
  return readJson(readFileOrInput(content, '--content'), `--content ${content}`) as AnswerBody;
}

function byWhom(by: NonNullable<Inquiry['resolution']>['by']): string {
  return by.kind === 'person' ? `${by.handle} on ${by.device.name}` : `${by.kind} ${by.label}`;
}

/** How many of those who have to approve it have, and who. */
function sayHands({ approvals, approved = [], state }: Inquiry): string {
  const wanted = approvals?.count ?? 1;
  const left = wanted - approved.length;
  const who = approved.length === 0 ? '' : ` (${approved.map(({ by }) => by.handle).join(', ')})`;
  const more = left <= 0 || state !== 'open' ? '' : left === 1 ? '; one more' : `; ${left} more`;
  return `${approved.length} of ${wanted} approved${who}${more}`;
}

/** How it reads in a terminal, which what an agent wrote cannot steer. */
function describe(inquiry: Inquiry): string {
  const { id, state, title, prompt, source, to, deadlineAt, questions = [], actions = [], resolution } = inquiry;
  const lines = [
    `${id}  ${state}${state === 'open' ? ` until ${deadlineAt}` : ''}`,
    `${title}`,
    `${source.name} asks ${to.join(', ')}`,
    ...(prompt === undefined || prompt === title ? [] : ['', prompt]),
    ...questions.flatMap((one) => [
      '',
      `${one.id}: ${one.prompt}`,
      ...('options' in one
        ? one.options.map(({ value, label }) => `  ${value === label ? value : `${value}: ${label}`}`)
        : []),
    ]),
    ...actions.flatMap(({ name, args, allowed }) => ['', `${name} ${JSON.stringify(args)}  (${allowed.join(', ')})`]),
    ...(inquiry.document ? ['', inquiry.document.markdown] : []),
    ...(inquiry.link ? ['', inquiry.link.url] : []),
    ...(inquiry.approvals ? ['', sayHands(inquiry)] : []),
    ...(inquiry.standing?.some(({ type }) => type === 'edit')
      ? ['approved as edited:', ...inquiry.standing.map((one) => `  ${JSON.stringify(one)}`)]
      : []),
    ...(resolution ? ['', `${resolution.at}  ${byWhom(resolution.by)}: ${resolution.text}`] : []),
  ];
  return visible(lines.join('\n').replaceAll('\r', ''));
}

/** What is done with one question, over HTTP as "ask" does it. */
export const inquiryCommands = [inquiryList, inquiryShow, inquiryWithdraw, inquiryAnswer];
