import { newId } from '#shared/ids.ts';
import type { Inquiry, Reach } from '#shared/inquiry.ts';
import { DAY_MS, iso } from '../platform/clock.ts';
import { batch, statement, type Statement, type Steps } from '../platform/steps.ts';
import { reachOf, toReach } from './inquiry-devices.ts';
import { answerBody, resumeBody, type DeliveryType } from './answer-body.ts';
export type NewWebhook = {
  sourceId: string;
  inquiryId: string;
  type: DeliveryType;
  /** The inquiry as it is told, made only if somebody is to be; it may hold numbers kept as source text. */
  data: (reach: Reach) => unknown;
  at: number;
  callbackUrl?: string | undefined;
  /** What a framework that asked is told beside it. */
  reply?: object | undefined;
};

const hookBySource = statement<{ webhook_url: string | null; kind: string | null; answer: string | null }>(
  `select webhook_url, connections.kind, connections.answer from sources left join connections on connections.source_id = sources.id
  where sources.id = ?1 and revoked_at is null`,
);
const insert = statement(
  `insert into deliveries (id, source_id, inquiry_id, type, url, typed_by_owner, body, state, created_at, due_at, give_up_at, queue)
  values (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'pending', ?8, ?8, ?9, ?10)`,
);

/**
 * The statements that write down that a source's webhook and the inquiry's callback are to be told, one for each. The
 * body is fixed here, so every attempt sends the same bytes (DLV1).
 */
export function* enqueueWebhook({
  sourceId,
  inquiryId,
  type,
  data,
  at,
  callbackUrl,
  reply,
}: NewWebhook): Steps<Statement[]> {
  const {
    hook: [source],
    reach: [reach],
  } = yield* batch({ hook: hookBySource(sourceId), reach: reachOf(inquiryId) });
  if (source === undefined) return [];
  const typed = source.webhook_url === null ? undefined : toAddress(source.webhook_url);
  const asked = callbackUrl === undefined ? undefined : toAddress(callbackUrl);
  const urls = [
    ...(typed === undefined ? [] : [{ url: typed, typedByOwner: 1 }]),
    ...(asked === undefined || asked === typed ? [] : [{ url: asked, typedByOwner: 0 }]),
  ];
  if (urls.length === 0) return [];
  const inquiry = data(toReach(reach));
  const body =
    source.kind === 'langgraph'
      ? resumeBody(inquiry as Inquiry, reply)
      : source.answer === null
        ? JSON.stringify({ type, timestamp: iso(at), data: inquiry, reply })
        : answerBody(source.answer, type, inquiry as Inquiry);
  if (body === undefined) return [];
  return urls.map(({ url, typedByOwner }) =>
    insert(
      newId('dlv', at),
      sourceId,
      inquiryId,
      type,
      url,
      typedByOwner,
      body,
      at,
      at + DAY_MS,
      `${sourceId} ${URL.parse(url)?.origin ?? url}`,
    ),
  );
}

/** An address that cannot be read is stored as it came: its delivery fails with the reason, and the caller's transaction goes on. */
function toAddress(text: string): string {
  return URL.parse(text)?.href ?? text;
}
