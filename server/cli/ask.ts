import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Resolution } from '#shared/answer.ts';
import type { Ask, Inquiry, Question } from '#shared/inquiry.ts';
import { hubClient, Unreachable, type HubClient } from './command/hub-client.ts';
import { hubOf } from './command/hub-data.ts';
import { EXIT, list, parse, SIGNALS, UsageError, type Command } from './command/terminal.ts';

const POLL_SECONDS = 60;
/** An open inquiry outlives a restart of the hub, and so does its asker. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 1_000;

/** `ask PROMPT`: asks people, waits, and prints the answer alone. */
export const ask: Command = async (args, terminal) => {
  const asked = readAsk(args);
  const { url, key } = await hubOf(terminal);
  const hub = hubClient(url, key);
  const interrupted = new AbortController();
  const stop = (): void => interrupted.abort();
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    const { id } = await hub.ask(asked);
    const resolution = await resolutionOf(hub, id, interrupted.signal);
    if (resolution === undefined) {
      await hub.withdraw(id, 'The asker stopped waiting.');
      return EXIT.interrupted;
    }
    const answered = resolution.outcome === 'answered';
    (answered ? terminal.out : terminal.err).write(`${answered ? wordsOf(resolution) : resolution.text}\n`);
    return answered ? EXIT.ok : EXIT.no;
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
};

function readAsk(args: string[]): Ask {
  const { values, positionals } = parse(args, {
    options: { type: 'string' },
    to: { type: 'string' },
    wait: { type: 'string' },
  });
  const [prompt, ...rest] = positionals;
  if (prompt === undefined || prompt.trim() === '' || rest.length > 0)
    throw new UsageError('Write "beckon ask PROMPT [--options A,B] [--to HANDLE] [--wait SECONDS]".');
  const options = list(values.options);
  const to = list(values.to);
  const seconds = values.wait === undefined ? undefined : Number(values.wait);
  if (seconds !== undefined && !(seconds > 0 && seconds <= 30 * 86_400))
    throw new UsageError('--wait takes seconds, more than 0 and at most 2592000 (30 days).');
  return {
    key: `command-line-${randomUUID()}`,
    ...(options ? { questions: [choice(prompt, options)] } : { prompt }),
    ...(to ? { to } : {}),
    ...(seconds === undefined ? {} : { deadline: seconds, latest: seconds }),
  };
}

function choice(prompt: string, options: string[]): Question {
  return { id: 'answer', type: 'choice', prompt, options: options.map((option) => ({ value: option, label: option })) };
}

/** The resolution, or nothing when the asker gave up first. The hub keeps the deadline; this only listens. */
async function resolutionOf(hub: HubClient, id: string, signal: AbortSignal): Promise<Resolution | undefined> {
  let lostAt: number | undefined;
  while (!signal.aborted) {
    try {
      const inquiry: Inquiry = await hub.read(id, POLL_SECONDS, signal);
      if (inquiry.resolution) return inquiry.resolution;
      lostAt = undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      lostAt ??= performance.now();
      if (!(error instanceof Unreachable) || performance.now() - lostAt > PATIENCE_MS) throw error;
    }
    // A stopping hub replies at once; without a pause this would be a busy loop.
    await pause(RETRY_MS, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

function wordsOf({ answer, text }: Resolution): string {
  const chosen = answer?.values?.['answer'];
  return answer?.text ?? (typeof chosen === 'string' ? chosen : undefined) ?? answer?.other?.['answer'] ?? text;
}
