import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { all, call, must, type Reply } from '../hub/call.ts';
import type { Hub } from '../hub/hub.ts';
import { type Engine, startNodes, type Nodes } from '../hub/nodes.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';

/** A hub that is about to be attacked, with its owner and one source that is to notice nothing. */
export type Scene = Nodes & {
  hub: Hub;
  /** The last node: another one where there are several. */
  other: Hub;
  owner: Device;
  source: NewSourceReply;
  ask(body: object, from?: NewSourceReply, hub?: Hub): Promise<Inquiry>;
  answer(inquiry: { id: string; digest?: string }, body?: object, hub?: Hub): Promise<Reply<AnswerReply>>;
  read(inquiry: { id: string }, from?: NewSourceReply, hub?: Hub): Promise<Inquiry>;
  inbox(hub?: Hub): Promise<string[]>;
  webhooks(from: NewSourceReply): Promise<WebhookDelivery[]>;
};

export async function openScene(
  engine: Engine,
  count = 1,
  settings: Parameters<typeof startNodes>[2] = {},
  webhookUrl?: string,
): Promise<Scene> {
  const nodes = await startNodes(engine, count, settings);
  const [hub] = nodes.nodes;
  const owner = await ownerDevice(hub);
  const source = await addSource(hub, owner, 'Neighbour', webhookUrl === undefined ? {} : { webhookUrl });
  return {
    ...nodes,
    hub,
    other: nodes.nodes.at(-1) as Hub,
    owner,
    source,
    ask: (body, from = source, at = hub) => must(at, 'POST /v1/inquiries', { token: from.key, body }),
    answer: ({ id, digest }, body = { text: 'yes' }, at = hub) =>
      call(at, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { digest, ...body } }),
    read: ({ id }, from = source, at = hub) => must(at, `GET /v1/inquiries/${id}`, { token: from.key }),
    inbox: async (at = hub) =>
      (await must<{ items: Inquiry[] }>(at, 'GET /v1/inbox', { token: owner.token })).items.map(({ id }) => id),
    webhooks: (from) => all(hub, '/v1/deliveries', from.key),
  };
}
