import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Unreachable } from '../command/hub-client.ts';
import { HUB_S, type Line } from './agents.ts';
import { hookAddress, hookCommand, type Hook } from './hook-line.ts';

/** What a hook's program hears of its call; `reason`: what was said where it was no decision. */
export type Heard = { decided: boolean; reason: string };

const REPLIES_MS = 10_000;
export const TEST_TOOL = 'connection_test';

/** Throws where the replies of a hub do not say what they are: the line of a hook would take none of them. */
export async function refuseSilentHub(hook: Hook | undefined, url: string): Promise<void> {
  if (!hook || !('key' in hook)) return;
  const signal = AbortSignal.timeout(REPLIES_MS);
  const reply = await fetch(hookAddress(url, hook, HUB_S), { method: 'POST', body: '{}', signal }).catch(
    () => undefined,
  );
  if (reply === undefined)
    throw new Unreachable(`No hub replies at ${url}; start it with "beckon serve" or set BECKON_URL.`);
  await reply.body?.cancel();
  if (reply.headers.has('beckon-reply')) return;
  throw new Unreachable(
    `The hub at ${url} sends its hooks no "Beckon-Reply": it is older than this program, or a proxy leaves that header out. Nothing was changed; upgrade the hub first.`,
  );
}

/** Asks about a call that does not exist, in the way of the agent's own program: the same command, or the same request. */
export async function callHook(hook: Hook, label: string, line: Line, signal: AbortSignal): Promise<Heard> {
  const event = {
    session_id: `connect-${randomUUID()}`,
    hook_event_name: hook.dialect === 'gemini-hook' ? 'BeforeTool' : 'PermissionRequest',
    ...(hook.dialect === 'codex-hook' && { turn_id: 'test' }),
    ...(hook.dialect === 'gemini-hook' && { timestamp: new Date().toISOString() }),
    tool_name: TEST_TOOL,
    tool_input: { note: `${label} is connected. Approve or reject this: nothing runs.` },
  };
  const body = JSON.stringify(event);
  const waitS = line.waitS ?? HUB_S;
  return 'key' in hook
    ? runCommand(hookCommand(hook, line.url, waitS), body, signal)
    : post(hookAddress(line.url, hook, waitS), { body, key: line.key, signal });
}

async function runCommand(command: string, body: string, signal: AbortSignal): Promise<Heard> {
  // A group of its own: what the shell starts ends with it.
  const child = spawn('sh', ['-c', command], { detached: true });
  const end = (): void => void (child.pid !== undefined && process.kill(-child.pid));
  const closed = once(child, 'close');
  try {
    signal.addEventListener('abort', end, { once: true });
    child.stdin.on('error', () => undefined);
    child.stdin.end(body);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { decided: isDecision(out), reason: oneLine(err) };
  } catch (error) {
    return { decided: false, reason: `${(error as Error).message}.` };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function post(
  address: string,
  { body, key, signal }: { body: string; key: string; signal: AbortSignal },
): Promise<Heard> {
  try {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const reply = await fetch(address, { method: 'POST', headers, body, signal });
    const said = await reply.text();
    const why = reply.headers.get('beckon-reason') ?? (reply.ok ? '' : `HTTP ${reply.status}.`);
    return { decided: reply.ok && isDecision(said), reason: why };
  } catch (error) {
    return { decided: false, reason: `${(error as Error).message}.` };
  }
}

/** `{}`, and whatever a proxy says, is none. */
function isDecision(said: string): boolean {
  try {
    const { decision, hookSpecificOutput } = JSON.parse(said) as { decision?: string; hookSpecificOutput?: object };
    return decision !== undefined || hookSpecificOutput !== undefined;
  } catch {
    return false;
  }
}

const oneLine = (said: string): string =>
  said
    .split(/\s*[\r\n]+\s*/)
    .join(' ')
    .trim();
