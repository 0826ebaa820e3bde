import { deepStrictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { call, must } from './hub/call.ts';
import type { Hub } from './hub/hub.ts';
import { startNodes, type Engine, type Nodes } from './hub/nodes.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const ID = '8e5953caed2af05d09ee453f2c23da42';
const requests = (count: number) => Array.from({ length: count }, (_, at) => ({ name: 'send', args: { to: at } }));
const BODY = (count: number) => [
  {
    id: ID,
    value: {
      action_requests: requests(count),
      review_configs: [{ action_name: 'send', allowed_decisions: ['approve', 'reject'] }],
    },
  },
];
const resumed = (count: number) => ({
  resume: { [ID]: { decisions: Array.from({ length: count }, () => ({ type: 'approve' })) } },
});

for (const engine of ['SQLite', 'Postgres'] as const) crash(engine);

function crash(engine: Engine): void {
  describe(`the asks of a framework on ${engine}`, { timeout: 240_000 }, () => {
    let nodes: Nodes;
    let hub: Hub;
    let owner: Device;
    let key: string;

    before(async () => {
      nodes = await startNodes(engine);
      [hub] = nodes.nodes;
      owner = await ownerDevice(hub);
      ({ key } = await addSource(hub, owner, 'Asker'));
    });
    after(() => nodes?.remove());

    const post = (body: object, headers: Record<string, string> = {}) =>
      fetch(`${hub.url}/v1/ask/langgraph`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, ...headers },
        body: JSON.stringify(body),
      });
    const open = (count: number) =>
      until(`${count} open inquiries`, async () => {
        const path = 'GET /v1/inquiries?state=open';
        const { items } = await must<{ items: Inquiry[] }>(hub, path, { token: key });
        return items.length === count ? items : undefined;
      });
    async function approve({ id, digest, actions = [] }: Inquiry): Promise<void> {
      const body = { digest, decisions: actions.map(() => ({ type: 'approve' })) };
      await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body });
    }
    async function crash(): Promise<void> {
      await hub.kill();
      await hub.start();
    }

    test('[DIA5] Claude Code’s hook lets Beckon’s own tool pass unasked, and asks about another of a project’s server', async () => {
      const hook = (source: string) =>
        must<object>(hub, `POST /v1/ask/claude-hook`, {
          token: key,
          body: {
            session_id: source,
            hook_event_name: 'PermissionRequest',
            tool_name: 'mcp__beckon__send_inquiry',
            tool_input: { prompt: 'Ship?' },
            tool_use_id: 'toolu_1',
            mcp_server: { name: 'beckon', source },
          },
        });
      deepStrictEqual(
        [await hook('user'), await open(0)],
        [{ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }, []],
      );
      const asking = hook('project');
      const [asked] = await open(1);
      await must(hub, `POST /v1/inquiries/${asked?.id}/withdraw`, { token: key, body: {} });
      deepStrictEqual([asked?.actions?.map(({ name }) => name), await asking], [['mcp__beckon__send_inquiry'], {}]);
    });

    test('[ASK1] [DIA2] [crash] a kill -9 of the hub loses no ask that waits, and the same call finds it again by its key', async () => {
      const headers = { 'idempotency-key': 'k' };
      const lost = await post(BODY(25), headers);
      const ids = lost.headers.get('beckon-inquiry');
      const cut = lost.text().catch(() => 'cut');
      const [second, first] = await open(2);
      await approve(first!);
      await crash();
      deepStrictEqual(await cut, 'cut');
      const again = await post(BODY(25), headers);
      deepStrictEqual(again.headers.get('beckon-inquiry'), ids);
      await approve(second!);
      deepStrictEqual(await again.json(), resumed(25));
      await open(0);
    });

    test('[ASK1] a suspended run gets its reply after a kill -9 before and after the answer', async () => {
      const { ask } = await must<{ ask: string }>(hub, 'POST /v1/ask/langgraph?wait=0', { token: key, body: BODY(1) });
      await crash();
      const [inquiry] = await open(1);
      await approve(inquiry!);
      await crash();
      for (let times = 0; times < 2; times++) {
        const { status, body } = await call(hub, `GET /v1/asks/${ask}?wait=60`, { token: key });
        deepStrictEqual([status, body], [200, resumed(1)]);
      }
    });
  });
}
