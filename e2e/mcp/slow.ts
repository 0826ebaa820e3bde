// For real, without a clock made faster: `node e2e/mcp/slow.ts` takes a little over ten minutes. Official clients of
// both SDK lines ask on /mcp and call a tool through a gate; a person answers after 130 s, while the clients have their
// own default time-outs, and after 10 minutes, with progress. Prints a line for each and fails if one fails.
import { setTimeout as pause } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from '../hub/call.ts';
import { type Hub, startHub } from '../hub/hub.ts';
import { addSource, type Device, ownerDevice } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { type Connected, connectClient, type Line, LINES, type Options, type ToolResult, wordsOf } from './clients.ts';
import { startFixtureServer } from './fixtures/server.ts';

const DAY = 86_400_000;
const MOST_CALLS = 5;
const SCALE = Number(process.env['SLOW_SCALE'] ?? 1);

type Case = { line: Line; door: '/mcp' | '/mcp/gate/slow'; afterSeconds: number; how: 'defaults' | 'progress' };
type Place = { hub: Hub; owner: Device; key: string };

const cases: Case[] = LINES.flatMap((line) =>
  (['/mcp', '/mcp/gate/slow'] as const).flatMap((door): Case[] => [
    { line, door, afterSeconds: 130, how: 'defaults' },
    { line, door, afterSeconds: 600, how: 'progress' },
  ]),
);

const [hub, fixtures] = await Promise.all([startHub(), startFixtureServer()]);
try {
  const owner = await ownerDevice(hub);
  const { key } = await addSource(hub, owner, 'Slow');
  const body = { upstream: { url: fixtures.url }, otherwise: 'ask' };
  await must(hub, 'PUT /v1/gates/slow', { token: owner.token, body });
  const done = await Promise.allSettled(
    cases.map((one, number) => play({ hub, owner, key }, one, `case ${String.fromCharCode(97 + number)}`)),
  );
  done.forEach((outcome, at) => say(cases[at], outcome));
  if (done.some(({ status }) => status === 'rejected')) process.exitCode = 1;
} finally {
  await Promise.all([fixtures.close(), hub.remove()]);
}

function say(one: Case | undefined, outcome: PromiseSettledResult<string>): void {
  const told = outcome.status === 'fulfilled' ? outcome.value : `FAILED: ${String(outcome.reason)}`;
  console.log(
    [one?.line.padEnd(18), one?.door.padEnd(14), `${one?.afterSeconds} s, ${one?.how}`.padEnd(15), told].join('  '),
  );
}

async function play(place: Place, { line, door, afterSeconds, how }: Case, mark: string): Promise<string> {
  const agent = await connectClient(place.hub.url + door, place.key, line);
  const frames: number[] = [];
  const options: Options =
    how === 'defaults'
      ? {}
      : { resetTimeoutOnProgress: true, onprogress: ({ progress }) => void frames.push(progress) };
  const begun = performance.now();
  const isGate = door !== '/mcp';
  const told = pause(afterSeconds * 1000 * SCALE).then(() => answer(place, mark, isGate));
  const { result, calls } = await (isGate ? throughGate : asking)(agent, mark, options);
  const seconds = (performance.now() - begun) / 1000;
  const said = wordsOf(result).replaceAll('\n', ' ');
  await told;
  await agent.close();
  const asked = (await all<Inquiry>(place.hub, '/v1/inquiries', place.key)).filter(isAbout(mark)).length;
  if (!said.includes(isGate ? `Hello, ${mark}!` : `Yes to ${mark}`)) throw new Error(`it got "${said}"`);
  if (asked !== 1) throw new Error(`it was asked ${asked} times`);
  if (seconds < afterSeconds * SCALE) throw new Error(`it did not wait: "${said}" after ${seconds} s`);
  const counts = [count(calls, 'call'), count(frames.length, 'frame'), 'asked once'];
  return [`${seconds.toFixed(1).padStart(6)} s`, ...counts, `"${said}"`].join('  ');
}

// As a model does: while the answer is pending it asks for it.
async function asking(agent: Connected, mark: string, options: Options) {
  let result = await agent.call('send_inquiry', { prompt: `Is ${mark} right?` }, options);
  let calls = 1;
  for (; result.structuredContent?.['status'] === 'pending'; calls++)
    result = await agent.call('get_answer', { inquiryId: result.structuredContent['inquiryId'] }, options);
  return { result, calls };
}

// As a model does: a call that returned undecided is made again. None may time out.
async function throughGate(agent: Connected, mark: string, options: Options) {
  for (let calls = 1; calls <= MOST_CALLS; calls++) {
    const result: ToolResult = await agent.call('greet', { name: mark }, options);
    if (!wordsOf(result).includes('Call this tool again')) return { result, calls };
  }
  throw new Error(`nobody's answer reached its call in ${MOST_CALLS} calls`);
}

async function answer({ hub: { url }, owner, key }: Place, mark: string, isGate: boolean): Promise<void> {
  const { id, digest } = await until(
    `the inquiry about ${mark}`,
    async () => (await all<Inquiry>({ url }, '/v1/inquiries?state=open', key)).find(isAbout(mark)),
    DAY,
  );
  const said = isGate ? { decisions: [{ type: 'approve' }] } : { text: `Yes to ${mark}` };
  await must({ url }, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { digest, ...said } });
}

function isAbout(mark: string): (inquiry: Inquiry) => boolean {
  return ({ prompt, actions }) => (prompt ?? JSON.stringify(actions)).includes(mark);
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`.padEnd(8);
}
