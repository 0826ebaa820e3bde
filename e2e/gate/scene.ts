import type { Inquiry } from '#shared/inquiry.ts';
import type { AnswerReply } from '#shared/answer.ts';
import { must } from '../hub/call.ts';
import { startHub, type Hub } from '../hub/hub.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { startUpstream, type Upstream } from './upstream.ts';

/** A hub with one gate before an upstream of the test's own. */
export type Scene = {
  hub: Hub;
  upstream: Upstream;
  owner: Device;
  key: string;
  otherKey: string;
  sourceId: string;
  /** The address of the gate. */
  url: string;
  /** Makes or changes a gate before the scene's upstream; the result is its address. */
  gate(name: string, policy?: object): Promise<string>;
  /** The open inquiries, oldest first, once there are `count`. */
  held(count?: number): Promise<Inquiry[]>;
  /** Waits until the hub holds no call any more: it has heard that their clients are gone. */
  letGo(): Promise<void>;
  decide(inquiry: Inquiry | undefined, decision: object): Promise<AnswerReply>;
  answer(inquiry: Inquiry | undefined, body: object): Promise<AnswerReply>;
  read(inquiry: { id: string } | undefined): Promise<Inquiry>;
  remove(): Promise<void>;
};

/** The credential of the scene's gates for their upstream. */
export const UPSTREAM_KEY = 'Bearer the-hub-s-own-key';

export async function openScene(settings: Record<string, string> = {}): Promise<Scene> {
  const hub = await startHub(settings);
  const upstream = await startUpstream();
  const owner = await ownerDevice(hub);
  const source = await addSource(hub, owner, 'Agent');
  const other = await addSource(hub, owner, 'Other agent');
  const gate = async (name: string, policy: object = {}): Promise<string> => {
    const headers = { authorization: UPSTREAM_KEY };
    const body = { upstream: { url: upstream.url, headers }, otherwise: 'annotations', ...policy };
    await must(hub, `PUT /v1/gates/${name}`, { token: owner.token, body });
    return `${hub.url}/mcp/gate/${name}`;
  };
  const answer = (inquiry: Inquiry | undefined, body: object): Promise<AnswerReply> =>
    must(hub, `POST /v1/inquiries/${inquiry?.id}/answer`, {
      token: owner.token,
      body: { digest: inquiry?.digest, ...body },
    });
  return {
    hub,
    upstream,
    owner,
    key: source.key,
    otherKey: other.key,
    sourceId: source.source.id,
    url: await gate('notes'),
    gate,
    held: (count = 1) =>
      until(`${count} held calls`, async () => {
        const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inbox', { token: owner.token });
        return items.length === count && items.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      }),
    async letGo() {
      await until('no held call', async () =>
        (await (await fetch(`${hub.url}/metrics`)).text()).includes('\nbeckon_gate_calls_held 0\n'),
      );
    },
    decide: (inquiry, decision) => answer(inquiry, { decisions: [decision] }),
    answer,
    read: (inquiry) => must(hub, `GET /v1/inquiries/${inquiry?.id}`, { token: source.key }),
    async remove() {
      await hub.remove();
      await upstream.close();
    },
  };
}
