import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { hubClient, waitForResolution } from '../command/hub-client.ts';
import { EXIT, type Terminal, onStopSignal } from '../command/terminal.ts';
import type { Agent, Line } from './agents.ts';

const WAITS_S = 120;
const LOOK_S = 5;

/** Asks with the agent's own key, and not as the page's own test is called; 0 once somebody has answered, 1 when nobody did within two minutes. */
export async function tryOut({ label }: Agent, { url, key }: Line, { out, err }: Terminal): Promise<number> {
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
    out.write(`A test question is on your devices; answer it there (${WAITS_S / 60} minutes).\n`);
    let shown = false;
    const seen = ({ reach }: Inquiry): void => {
      if (!shown && reach.shown > 0) out.write('It arrived on a screen.\n');
      shown ||= reach.shown > 0;
    };
    const resolution = await waitForResolution(hub, id, { seconds: LOOK_S, signal: left.signal, seen });
    if (resolution === undefined) {
      await hub.withdraw(id, 'The asker stopped waiting.');
      return EXIT.interrupted;
    }
    if (resolution.outcome === 'answered' || resolution.outcome === 'declined') {
      out.write('It was answered. All is set.\n');
      return EXIT.ok;
    }
    err.write(`Nobody answered. The settings stay; is a device signed in at ${url}?\n`);
    return EXIT.failed;
  } finally {
    unheard();
  }
}
