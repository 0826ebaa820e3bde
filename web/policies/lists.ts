import { parseExact } from '#shared/json.ts';
import type { Policies, Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { call } from '../live/api.ts';

/** Whose list: mine, or the hub's, which the owner alone reads and changes. */
export type Whose = 'me' | 'hub';
export type Listed = { ok: Policies; problem?: never } | { problem: Problem; ok?: never };

const TRIES = 5;

/** A list with its version, every number as its rules were written. */
export async function readList(of: Whose): Promise<Listed> {
  const reply = await call<Policies>('GET', listPath(of));
  return reply.problem ? { problem: reply.problem } : exactly(reply.text);
}

/** Puts these rules in place of the version that was read; `policies.changed` where the list is another one by now. */
export async function writeList(of: Whose, list: Policies): Promise<Listed> {
  const reply = await call<Policies>('PUT', listPath(of), list);
  return reply.problem ? { problem: reply.problem } : exactly(reply.text);
}

/** Changes what the list is now; where somebody was faster, what they made of it is read and changed. */
export async function changeList(of: Whose, change: (rules: Rule[]) => Rule[]): Promise<Listed> {
  for (let tries = 1; ; tries++) {
    const read = await readList(of);
    if (read.problem) return read;
    const { version, rules } = read.ok;
    const written = await writeList(of, { version, rules: change(rules) });
    if (written.problem?.code !== 'policies.changed' || tries === TRIES) return written;
  }
}

function listPath(of: Whose): string {
  return of === 'me' ? '/v1/policies' : '/v1/policies/hub';
}

// A number that this engine cannot hold would be written back as another one.
function exactly(text: string): Listed {
  try {
    return { ok: parseExact(text) as Policies };
  } catch {
    const detail = 'These rules hold a number that this browser cannot keep exactly. Change them with a newer browser.';
    const code = 'policies.inexact';
    return { problem: { type: `urn:beckon:problem:${code}`, title: 'policies inexact', status: 0, detail, code } };
  }
}
