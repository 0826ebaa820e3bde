import { randomUUID } from 'node:crypto';
import { parseOrRefuse } from '#shared/faults.ts';
import { Ask } from '#shared/inquiry.ts';
import { withoutUndefined } from '#shared/json.ts';
import { runnable } from '../inquiries/validity.ts';
import type { AskPeople } from '../protocols/acp/asking.ts';
import { createProxy } from '../protocols/acp/proxy.ts';
import { askPeople } from './gating/people.ts';
import { runWrapped, type Wires } from './gating/wrapped.ts';
import { command, type Given } from './command/command.ts';
import { Unreachable, type HubClient } from './command/hub-client.ts';
import { list, UsageError } from './command/terminal.ts';

const OPTIONS = {
  to: { type: 'string', value: 'HANDLE,HANDLE', means: 'who is asked; by default whom the key asks' },
  deadline: { type: 'string', value: 'SECONDS', means: 'how long they can answer (86400); the editor can for ever' },
  'valid-for': { type: 'string', value: 'SECONDS', means: 'how long an approved call may be passed on (86400)' },
} as const;

/** An agent may have something to write down; one whose editor was killed ends by itself, as its input does. */
const GRACE_MS = { toEnd: 5_000, toDie: 1_000, toClose: 500 };

/** The editor asks meanwhile, so that there is no hurry: a hub that comes back is asked, or found again. */
const FOR_EVER = { askMs: Infinity, hearMs: Infinity };
const PACE = { firstRetryMs: 250, longestRetryMs: 4_000 };

/** `acp -- AGENT`: runs a coding agent for an editor and has people asked too; its exit code is the agent's. */
export const acp = command({
  name: 'acp',
  does: 'put what a coding agent asks in an editor on your devices too',
  options: OPTIONS,
  runs: true,
  more: `It stands between an editor and an agent that speak the Agent Client Protocol. Permissions and forms are in the editor
and on the devices at once, and the first answer counts. All else passes as it is. The hub is BECKON_URL with BECKON_KEY;
without a key it is the hub's own machine that asks. While no hub replies, the editor alone asks. The exit code is the agent's.`,
  examples: ['beckon acp -- npx -y @agentclientprotocol/claude-agent-acp', 'beckon acp --to anna -- gemini --acp'],
  async run(given, terminal) {
    const { rest, values } = given;
    const [program = '', ...args] = rest;
    if (program === '') throw new UsageError('The command behind "--" is empty. See "beckon acp --help".');
    const more = readMore(values);
    return runWrapped({ command: program, args, name: 'acp', graceMs: GRACE_MS }, terminal, (wires) => {
      const { fromAgent, fromEditor, editorEnded, close } = createProxy({
        ask: asking(wires, more),
        toEditor: wires.toClient,
        toAgent: (bytes) => wires.toChild((child) => child.write(bytes)),
        say: wires.say,
      });
      return { fromClient: fromEditor, clientEnded: editorEnded, fromChild: { onBytes: fromAgent }, close };
    });
  },
});

const More = Ask.pick({ to: true, deadline: true, validFor: true });

function readMore({ to, deadline, 'valid-for': validFor }: Given<typeof OPTIONS>['values']): Partial<Ask> {
  const seconds = (value: string | undefined) => (value === undefined ? undefined : Number(value));
  const given = { to: list(to), deadline: seconds(deadline), validFor: seconds(validFor) };
  return parseOrRefuse(More, withoutUndefined(given));
}

/** Asks people of the hub; what they approved and what has ended since reads as expired (APR1). */
export function asking(
  { cwd, hub, say }: Pick<Wires, 'cwd' | 'hub' | 'say'>,
  more: Partial<Ask>,
  pace = PACE,
): AskPeople {
  let isTold = false;
  return async (ask, signal) => {
    const client = await hub();
    const telling: HubClient = {
      ...client,
      async ask(...given) {
        try {
          const asked = await client.ask(...given);
          isTold = false;
          return asked;
        } catch (error) {
          // Once is enough: it is tried again and again.
          if (error instanceof Unreachable && !isTold) say(error.message);
          isTold ||= error instanceof Unreachable;
          throw error;
        }
      },
    };
    const context = { cwd: cwd.slice(0, 1000), ...ask.context };
    const asked = { ...more, ...ask, context, key: `acp-${randomUUID()}` };
    const inquiry = await askPeople(telling, asked, signal, { ...FOR_EVER, ...pace });
    return inquiry === 'gone' ? inquiry : runnable(inquiry, client.now());
  };
}
