import { setTimeout as pause } from 'node:timers/promises';
import { parseOrRefuse } from '#shared/faults.ts';
import { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { replay, tryNow } from '../deliveries/again.ts';
import { readDeliveryPage, readDelivery } from '../deliveries/read.ts';
import { changeSource } from '../sources/change.ts';
import { command } from './command/command.ts';
import { withHubData, type HubData } from './command/hub-data.ts';
import { EXIT, print, printList, type Terminal } from './command/terminal.ts';
import { sourceNamed } from './source.ts';

const State = WebhookDelivery.pick({ state: true }).partial();
const LISTED = 50;
const PATIENCE_MS = 30_000;
const LOOK_MS = 200;
const ID = 'dlv_01KY3H7CZ2V5J8XQ4M6N0PWTRB';

const webhookList = command({
  name: 'webhook list',
  does: `list the last ${LISTED} webhooks, newest first`,
  options: {
    source: { type: 'string', value: 'NAME_OR_ID', means: 'only those of this source' },
    state: { type: 'string', value: 'pending|delivered|gone|failed', means: 'only those that stand so' },
  },
  json: true,
  examples: ['beckon webhook list', 'beckon webhook list --source "Release train" --state failed --json'],
  run: ({ values, json }, terminal) =>
    withHubData(terminal, async (data) => {
      const { state } = parseOrRefuse(State, { state: values.state });
      const sourceId = values.source === undefined ? undefined : (await sourceNamed(data, values.source)).id;
      const { items } = await readDeliveryPage(data.database.read, {
        viewer: asOwner(data),
        sourceId,
        state,
        limit: LISTED,
      });
      const columns = {
        ID: (one: WebhookDelivery) => one.id,
        STATE: (one: WebhookDelivery) => one.state,
        TRIES: (one: WebhookDelivery) => String(one.attemptCount),
        LAST: (one: WebhookDelivery) => describeResult(one.attempts.at(-1)),
        NEXT: (one: WebhookDelivery) => one.dueAt ?? '',
        URL: (one: WebhookDelivery) => one.url,
      };
      printList(terminal.out, items, { json, columns });
    }),
});

const webhookShow = command({
  name: 'webhook show',
  does: 'print one webhook with its attempts of the last 7 days and what is sent',
  args: ['ID'],
  json: true,
  more: 'What is sent is left out where the owner was not asked.',
  examples: [`beckon webhook show ${ID}`, `beckon webhook show ${ID} --json | jq -r .body`],
  run: ({ args: [id = ''], json }, terminal) =>
    withHubData(terminal, async (data) => {
      show(terminal, await readDelivery(data.database.read, id, asOwner(data)), json);
    }),
});

const again = {
  try: ['try one webhook now instead of when it is due', tryNow],
  replay: ['send one webhook once more, under the same id', replay],
} as const;
const webhookAgain = Object.entries(again).map(([word, [does, act]]) =>
  command({
    name: `webhook ${word}`,
    does,
    args: ['ID'],
    json: true,
    more: `A running hub sends it within 15 seconds; the command waits for that and prints what came of it.

Exit codes: 0 delivered; 1 not delivered, or no hub tried it within ${PATIENCE_MS / 1000} seconds; 2 wrong call or refused.`,
    examples: [`beckon webhook ${word} ${ID}`],
    run: ({ args: [id = ''], json }, terminal) =>
      withHubData(terminal, async (data) => {
        const { database } = data;
        const before = await act(database, { id, viewer: asOwner(data), now: database.clock.now() });
        const paused = (await sourceNamed(data, before.sourceId ?? '')).webhooksPausedAt !== undefined;
        const after = paused ? undefined : await afterAttempt(data, before);
        show(terminal, after ?? before, json);
        if (paused) return EXIT.ok;
        if (after) return after.state === 'delivered' ? EXIT.ok : EXIT.failed;
        terminal.err.write(`No hub tried it within ${PATIENCE_MS / 1000} seconds; it is sent when one runs.\n`);
        return EXIT.failed;
      }),
  }),
);

/** The delivery once an attempt came after what `before` shows; undefined where none did. */
async function afterAttempt(data: HubData, before: WebhookDelivery): Promise<WebhookDelivery | undefined> {
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(LOOK_MS)) {
    const now = await readDelivery(data.database.read, before.id, asOwner(data));
    if (now.attemptCount > before.attemptCount) return now;
  }
  return undefined;
}

const pausing = {
  pause: ['let the webhooks of a source wait', true],
  resume: ['send what waited, each for a whole day again', false],
} as const;
const webhookPausing = Object.entries(pausing).map(([word, [does, webhooksPaused]]) =>
  command({
    name: `webhook ${word}`,
    does,
    args: ['NAME_OR_ID'],
    json: true,
    examples: [`beckon webhook ${word} "Release train"`],
    run: ({ args: [named = ''], json }, terminal) =>
      withHubData(terminal, async (data) => {
        const { id } = await sourceNamed(data, named);
        const source = await changeSource(data.database, id, { webhooksPaused });
        const said = webhooksPaused ? 'are paused' : 'go on';
        print(terminal, json, source, `The webhooks of "${source.name}" ${said}.`);
      }),
  }),
);

const asOwner = ({ owner }: HubData) => ({ ownerId: owner.id });

function describeResult(attempt: WebhookDelivery['attempts'][number] | undefined): string {
  return attempt === undefined ? 'not tried' : String(attempt.status ?? attempt.error ?? '');
}

function show(terminal: Terminal, delivery: WebhookDelivery, json: boolean): void {
  const { id, type, state, url, title, dueAt, attempts, body } = delivery;
  const lines = [
    `${id}  ${type}  ${state}${dueAt === undefined ? '' : `, next ${dueAt}`}`,
    url,
    ...(title === undefined ? [] : [title]),
    ...attempts.map((one) => `${one.at}  ${describeResult(one)}  ${one.ms} ms`),
    ...(body === undefined ? [] : [body]),
  ];
  print(terminal, json, delivery, lines.join('\n'));
}

export const webhookCommands = [webhookList, webhookShow, ...webhookAgain, ...webhookPausing];
