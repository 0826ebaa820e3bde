import { z } from 'zod';
import { JsonValue } from '#shared/answer.ts';
import { AppError } from '#shared/problem.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { readForSource } from '../inquiries/read.ts';
import { readAsRecipient, sourceView } from '../inquiries/store.ts';
import { NOBODY } from '../deliveries/inquiry-devices.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { deviceOf, routeFor, sourceOf } from '../platform/http/access.ts';
import { Id } from '../platform/http/params.ts';
import type { Http } from '../platform/http/server.ts';
import { consume } from './consume.ts';
import { ALGORITHMS, readKeySet, renewKeys } from './keys.ts';
import { checkReceipt, placesOf, signReceipt } from './receipts.ts';

export type Receipts = { database: Database; sealingKey: Buffer; publicUrl: () => string };

const KeySet = z
  .object({ keys: z.array(z.record(z.string(), z.unknown())).describe('The public keys (RFC 7517).') })
  .meta({ id: 'KeySet', description: 'The keys that receipts of this hub are signed with, now and before.' });
const Receipt = z
  .object({ receipt: z.string().describe('A compact JWS (RFC 7515), `typ` "beckon-receipt+jwt".') })
  .meta({ id: 'Receipt', description: 'A signed statement of one resolution that others can verify offline.' });
const Consume = z
  .strictObject({
    receipt: z.string().max(65_536).describe('The receipt, as it was handed over.'),
    tool: z.string().max(200).describe('The tool that is about to run.'),
    args: JsonValue.describe('Its exact arguments.'),
  })
  .meta({ id: 'ConsumeReceipt', description: 'A call that is about to run by a receipt.' });
const Consumed = z
  .object({ at: z.string().describe('When it was used: this once, on whichever node.') })
  .meta({ id: 'ConsumedReceipt', description: 'A call may run, now and by this receipt never again.' });

/** Makes the keys where there are none yet, and adds the routes. */
export async function openReceipts(
  app: Http,
  { retainDays, ...receipts }: Receipts & { retainDays: number },
): Promise<void> {
  await renewKeys(receipts, retainDays);
  receiptRoutes(app, receipts);
}

/** The receipts of resolutions, and the keys that they are verified with. */
export function receiptRoutes(app: Http, { database, sealingKey, publicUrl }: Receipts): void {
  routeFor('public', 'Receipts')(app, 'GET /.well-known/jwks.json', 'The keys that receipts are signed with', {
    operationId: 'readKeySet',
    description: 'A key stands here a day before it signs, and for ever after. Keep the set to verify without the hub.',
    response: { 200: KeySet },
    handler: async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').send(await readKeySet({ database })),
  });

  routeFor('any', 'Receipts')(app, 'GET /v1/inquiries/:id/receipt', 'The receipt of a resolution', {
    operationId: 'readReceipt',
    description:
      'For the source that asked and the people who were asked. By EdDSA it is the same text at every reading.',
    problems: ['inquiry.unknown', 'receipt.none'],
    params: Id,
    querystring: z.strictObject({
      alg: z.enum(ALGORITHMS).default('EdDSA').describe('ES256 for a verifier without EdDSA.'),
      audience: z.string().max(2000).optional().describe('For whom it is meant: stands in it as `aud`.'),
    }),
    response: { 200: Receipt },
    handler: async (request) => {
      const { id } = request.params;
      const { caller, query } = request;
      const inquiry =
        caller?.kind === 'source'
          ? await readForSource({ database }, id, caller.id)
          : await readAsAsked(database, id, deviceOf(request).person.id);
      const signing = { database, sealingKey, issuer: publicUrl() };
      return { receipt: await signReceipt(signing, inquiry, query) };
    },
  });

  routeFor('source', 'Receipts')(app, 'POST /v1/receipts/consume', 'Use a receipt for one call, once', {
    operationId: 'consumeReceipt',
    description: 'For a tool that has no memory of its own. Run the call after 200, and after nothing else.',
    problems: ['receipt.refused', 'receipt.used'],
    body: Consume,
    response: { 200: Consumed },
    handler: async (request) => {
      const { receipt, tool, args } = request.body;
      const now = database.clock.now();
      const { keys } = await readKeySet({ database });
      const claims = await checkReceipt(receipt, { keys, issuer: publicUrl(), now });
      const places = claims ? placesOf(claims, tool, args) : [];
      // One answer, whatever is wrong with it.
      if (!claims || places.length === 0 || claims.act.sub !== `source:${sourceOf(request).id}`)
        throw new AppError(403, 'receipt.refused', 'This receipt lets this call not run.');
      await consume(database, claims, places, now);
      return { at: iso(now) };
    },
  });
}

async function readAsAsked(database: Database, inquiryId: string, personId: string): Promise<Inquiry> {
  return sourceView(await readAsRecipient(database, inquiryId, personId), { reach: NOBODY });
}
