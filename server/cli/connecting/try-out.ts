import { setTimeout as pause } from 'node:timers/promises';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { hubClient, waitForResolution, type HubCommands } from '../command/hub-client.ts';
import { EXIT, type Terminal, onStopSignal } from '../command/terminal.ts';
import type { Agent, Line } from './agents.ts';
import { callHook, TEST_TOOL, type Heard } from './hook-call.ts';
import type { Hook } from './hook-line.ts';

const WAITS_S = 120;
const LOOK_S = 5;
const LOOK_MS = 1_000;
/** A hub tells whole seconds. */
const CLOCK_MS = 2_000;

/** Asks as the agent asks, by its own hook where it has one; 0 once somebody has answered, 1 when nobody did within two minutes. */
export async function tryOut(agent: Agent, line: Line, terminal: Terminal): Promise<number> {
  return agent.hook ? tryHook(agent.label, agent.hook, line, terminal) : tryKey(agent, line, terminal);
}

const ARRIVES = `A test question is on your devices; answer it there (${WAITS_S / 60} minutes).\n`;
const SHOWN = 'It arrived on a screen.\n';
const ANSWERED = 'It was answered. All is set.\n';
const unanswered = (url: string) => `Nobody answered. The settings stay; is a device signed in at ${url}?\n`;

/** Calls the hook as its program does, and follows the question that it asks. */
async function tryHook(label: string, hook: Hook, line: Line, { out, err }: Terminal): Promise<number> {
  const hub = hubClient(line.url, line.key);
  const left = new AbortController();
  let stopped = false;
  const unheard = onStopSignal(() => left.abort((stopped = true)));
  const late = setTimeout(() => left.abort(), WAITS_S * 1_000);
  try {
    const begun = hub.now();
    let heard: Heard | undefined;
    const calling = callHook(hook, label, line, left.signal).then((ended) => (heard = ended));
    let seen: Inquiry | undefined;
    for (let shown = false; ;) {
      const last = heard !== undefined || left.signal.aborted;
      const before = seen;
      seen = (await newest(hub, begun)) ?? seen;
      if (seen && !before) out.write(ARRIVES);
      if (seen && !shown && seen.reach.shown > 0) out.write(SHOWN);
      shown ||= (seen?.reach.shown ?? 0) > 0;
      if (last) break;
      await Promise.race([calling, pause(LOOK_MS)]);
    }
    if (stopped) return EXIT.interrupted;
    // Gemini's reply says "deny" too where nobody decided.
    if (heard?.decided && ['answered', 'declined'].includes(seen?.resolution?.outcome ?? '')) {
      out.write(ANSWERED);
      return EXIT.ok;
    }
    err.write(
      seen && (left.signal.aborted || !heard?.reason)
        ? unanswered(line.url)
        : `The hook got no decision: ${heard?.reason ?? ''} The settings stay.\n`,
    );
    return EXIT.failed;
  } finally {
    clearTimeout(late);
    left.abort();
    unheard();
  }
}

/** The test question of a hook, once it is there. */
async function newest(hub: HubCommands, since: number): Promise<Inquiry | undefined> {
  const { items } = await hub.list('inquiries', new URLSearchParams({ limit: '10' }));
  return items.find(
    ({ actions, openedAt }) => actions?.[0]?.name === TEST_TOOL && Date.parse(openedAt) >= since - CLOCK_MS,
  );
}

/** Asks with the agent's own key, and not as the page's own test is called. */
async function tryKey({ label }: Agent, { url, key }: Line, { out, err }: Terminal): Promise<number> {
  const hub = hubClient(url, key);
  const prompt = `${label} is connected. Can you read this?`;
  const options = [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ];
  const asked: Ask = {
    title: prompt,
    questions: [{ id: 'seen', type: 'choice', prompt, options, required: true }],
    context: { runId: 'Connection test' },
    rules: 'none',
    deadline: WAITS_S,
    latest: WAITS_S,
  };
  const left = new AbortController();
  const unheard = onStopSignal(() => left.abort());
  try {
    const { id } = await hub.ask(asked);
    out.write(ARRIVES);
    let shown = false;
    const seen = ({ reach }: Inquiry): void => {
      if (!shown && reach.shown > 0) out.write(SHOWN);
      shown ||= reach.shown > 0;
    };
    const resolution = await waitForResolution(hub, id, { seconds: LOOK_S, signal: left.signal, seen });
    if (resolution === undefined) {
      await hub.withdraw(id, 'The asker stopped waiting.');
      return EXIT.interrupted;
    }
    if (resolution.outcome === 'answered' || resolution.outcome === 'declined') {
      out.write(ANSWERED);
      return EXIT.ok;
    }
    err.write(unanswered(url));
    return EXIT.failed;
  } finally {
    unheard();
  }
}
