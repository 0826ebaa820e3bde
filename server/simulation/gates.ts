import type { Resolution } from '#shared/answer.ts';
import { CallCancelled, createPeople, holdCall, type Gates } from '../mcp/gate/hold.ts';
import { decide } from '../automation/rules/decide.ts';
import { GATE, gatesOn } from '../mcp/gate/testing/gates.ts';
import type { Chance } from './chance.ts';
import type { SimHub } from './hub.ts';
import type { SimNode } from './node.ts';
import type { Must } from './page.ts';

/** Of its approvals some end before their call can be passed on. */
const gate = { ...GATE, validFor: 5 };
const ASKS = decide(gate, 'tool');

/** A call that the gate let pass, by the clock of its node. */
type Passed = { inquiryId: string; at: number };

/** Agents behind a gate, on any node: a few sessions make a few calls again and again, are cut off, come back or give up. */
export function createAgents(hub: SimHub, chance: Chance, sourceId: string) {
  const passed: Passed[] = [];
  const gates = new WeakMap<SimNode, Gates>();

  function gatesOf(node: SimNode): Gates {
    const { inquiries } = node;
    const known =
      gates.get(node) ??
      gatesOn({ ...inquiries, inquiries } as never, gate, { asks: { run: (_caller, ask) => ask() } });
    gates.set(node, known);
    return known;
  }

  async function call(name: string, sessionId: string, asked: (id: string) => void): Promise<void> {
    const node = hub.node();
    const controller = new AbortController();
    const reason = chance.percent(50) ? new CallCancelled('The user stopped it.') : undefined;
    hub.schedule.after(chance.between(100, 40_000), () => node.after(0, () => controller.abort(reason)));
    const command = {
      gate,
      source: { id: sourceId },
      call: { name, argsText: '{}' },
      sessionId,
      requestId: 1,
      verdict: ASKS as Parameters<typeof holdCall>[1]['verdict'],
      signal: controller.signal,
      onAsked: asked,
    };
    const held = await holdCall(createPeople(gatesOf(node), command), command);
    const at = node.inquiries.database.clock.now();
    if (held !== 'gone' && held.type === 'forward') passed.push({ inquiryId: held.inquiryId, at });
  }

  return {
    passed,
    /**
     * A call, and half of the time the same once more soon, as an agent makes it that was cut off or goes on. Not in the
     * trace: which of two identical calls goes on first is the machine's affair.
     */
    call(asked: (id: string) => void): void {
      const [name, sessionId] = [`tool ${chance.between(0, 1)}`, `session ${chance.between(0, 1)}`];
      const once = () =>
        void call(name, sessionId, asked).catch((error) => hub.network.failures.push(`call: ${String(error)}`));
      if (chance.percent(50)) hub.schedule.after(chance.between(500, 30_000), once);
      once();
    },
  };
}

/** ASK5, APR1, DIA1: what passed a gate was approved, for that call alone, and its approval had not ended. */
export async function checkGates({ database: { read } }: SimHub, passed: Passed[], must: Must): Promise<void> {
  must(
    new Set(passed.map(({ inquiryId }) => inquiryId)).size === passed.length,
    'ASK5: one approval let two calls pass',
  );
  for (const { inquiryId, at } of passed) {
    const { resolution } = await read
      .selectFrom('inquiries')
      .select('resolution')
      .where('id', '=', inquiryId)
      .executeTakeFirstOrThrow();
    const { answer, validUntil } = JSON.parse(resolution ?? '{}') as Partial<Resolution>;
    must(answer?.decisions?.[0]?.type === 'approve', 'DIA1: a call passed that nobody approved', inquiryId);
    must(at < Date.parse(validUntil ?? ''), 'APR1: a call passed whose approval had ended', inquiryId);
  }
}
