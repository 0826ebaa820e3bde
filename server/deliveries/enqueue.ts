import { hash } from 'node:crypto';
import { newId } from '#shared/ids.ts';
import type { Inquiry, Reach } from '#shared/inquiry.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import { invariant } from '../platform/invariants.ts';
import { batch, statement, type Statement, type Steps } from '../platform/steps.ts';
import { reachOf, toReach } from './inquiry-devices.ts';
import { AAP, answerBody, eventBody, resumeBody, windowMs, type DeliveryType } from './answer-body.ts';
export type NewWebhook = {
  sourceId: string;
  inquiryId: string;
  type: DeliveryType;
  /** The inquiry as it is told, made only if somebody is to be; it may hold numbers kept as source text. */
  data: (reach: Reach) => unknown;
  at: number;
  /** What becomes of it, for those who subscribed to the events of its source. */
  state: Inquiry['state'];
  /** Whether there may be any. */
  subscribed: boolean;
  callbackUrl?: string | undefined;
  /** What a framework that asked is told beside it. */
  reply?: object | undefined;
};

type Hook = { webhook_url: string | null; kind: string | null; answer: string | null; provisioner_id: string | null };
// A receiver that nobody verified, because the owner typed it since, gets what every webhook says.
const hookBySource = statement<Hook>(
  `select webhook_url, connections.kind, connections.answer, provisioner_id from sources
  left join connections on connections.source_id = sources.id
  left join aap_instances on aap_instances.source_id = sources.id and aap_instances.url = webhook_url
  where sources.id = ?1 and case when issuer is null then revoked_at is null else cast(?2 as text) = 'inquiry.resolved' end`,
);
const subscribersTo = statement<{ id: string; url: string }>(
  `select id, url from event_subscriptions where source_id = ?1 and name = ?2 and (inquiry_id is null or inquiry_id = ?3)
  and expires_at > ?4 order by id`,
);
const insert = statement(
  `insert into deliveries (id, source_id, inquiry_id, type, url, typed_by_owner, body, state, created_at, due_at, give_up_at, queue,
  protocol, subscription_id) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending', ?8, ?8, ?9, ?10, ?11, ?12)`,
);

/**
 * The statements that write down that a source's webhook, the inquiry's callback and whoever subscribed to the event are to
 * be told, one for each. The body is fixed here, so every attempt sends the same bytes (DLV1).
 */
export function* enqueueWebhook(webhook: NewWebhook): Steps<Statement[]> {
  const { sourceId, inquiryId, type, at } = webhook;
  const {
    hook: [source],
    reach: [reach],
    subscribers,
  } = yield* batch({
    hook: hookBySource(sourceId, type),
    reach: reachOf(inquiryId),
    subscribers: webhook.subscribed ? subscribersTo(sourceId, type, inquiryId, at) : undefined,
  });
  if (source === undefined) return [];
  const occurrence = JSON.stringify(toOccurrence(webhook));
  const told = subscribers.map(({ id, url }) => {
    const queue = `${sourceId} ${URL.parse(url)?.origin ?? url}`;
    return insert(newId('dlv', at), sourceId, inquiryId, type, url, 0, occurrence, at, at + DAY_MS, queue, null, id);
  });
  return [...hooksOf(source, webhook, toReach(reach)), ...told];
}

function hooksOf(source: Hook, { callbackUrl, data, reply, ...webhook }: NewWebhook, reach: Reach): Statement[] {
  const { sourceId, inquiryId, type, at } = webhook;
  const typed = source.webhook_url === null ? undefined : toAddress(source.webhook_url);
  const asked = callbackUrl === undefined ? undefined : toAddress(callbackUrl);
  const urls = [
    ...(typed === undefined ? [] : [{ url: typed, typedByOwner: 1, provisioner: source.provisioner_id }]),
    ...(asked === undefined || asked === typed ? [] : [{ url: asked, typedByOwner: 0, provisioner: null }]),
  ];
  if (urls.length === 0) return [];
  const inquiry = data(reach);
  const usual =
    source.kind === 'langgraph'
      ? resumeBody(inquiry as Inquiry, reply)
      : source.answer === null
        ? JSON.stringify({ type, timestamp: iso(at), data: inquiry, reply })
        : answerBody(source.answer, type, inquiry as Inquiry);
  const hooks = urls.flatMap(({ url, typedByOwner, provisioner }) => {
    const id = newId('dlv', at);
    const protocol = provisioner === null ? null : AAP;
    const body = protocol === null ? usual : eventBody(id, type, reply);
    if (body === undefined) return [];
    const trusted = protocol === null ? typedByOwner : 0;
    const queue = `${provisioner ?? sourceId} ${URL.parse(url)?.origin ?? url}`;
    const giveUpAt = at + windowMs({ protocol });
    return insert(id, sourceId, inquiryId, type, url, trusted, body, at, giveUpAt, queue, protocol, null);
  });
  // A platform or a provisioner may have no word for it.
  const isOwed = usual !== undefined && source.provisioner_id === null;
  invariant('webhook_owed', !isOwed || hooks.length === urls.length, inquiryId);
  return hooks;
}

/** What happened, by ids and states alone (MCP Events); the same event has the same id wherever and whenever it is told. */
export function toOccurrence({ type, inquiryId, state, at }: Pick<NewWebhook, 'type' | 'inquiryId' | 'state' | 'at'>) {
  const timestamp = iso(at);
  const eventId = `evt_${hash('sha256', `${type} ${inquiryId} ${timestamp}`, 'base64url')}`;
  return { eventId, name: type, timestamp, data: { inquiryId, state } };
}

/** An address that cannot be read is stored as it came: its delivery fails with the reason, and the caller's transaction goes on. */
function toAddress(text: string): string {
  return URL.parse(text)?.href ?? text;
}
