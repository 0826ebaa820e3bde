import { createHash, hkdfSync } from 'node:crypto';
import { createRequestStateCodec, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { RequestStateCodec } from '@modelcontextprotocol/server';
import { canonical } from '#shared/json.ts';
import { visitOf, type Call, type Unfinished } from './call.ts';

const LIFE_SECONDS = 600;

/** What a modern client carries from one leg of its call to the next. */
export type Leg = { inquiryId: string; round: number; call: string };

/** Signs and checks legs for the credential they were given to, with one key for all nodes. */
export function createLegs(sealingKey: Buffer): RequestStateCodec {
  return createRequestStateCodec({
    key: Buffer.from(hkdfSync('sha256', sealingKey, '', 'legs of calls over MCP', 32)),
    ttlSeconds: LIFE_SECONDS,
    bind: (context) => visitOf(context).caller.id,
  });
}

/** The leg that this call continues; throws -32602 when it is that of another call. */
export function legOf(call: Call): Leg | undefined {
  const leg = call.context.mcpReq.requestState<Leg>();
  if (leg !== undefined && leg.call !== digestOf(call))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This requestState belongs to another call.');
  return leg;
}

/** The round of the leg that follows this one; undefined where the client has followed often enough. */
export function nextRound({ parts: { pace } }: Call, leg: Leg | undefined): number | undefined {
  const round = (leg?.round ?? 0) + 1;
  return round < pace.legRounds ? round : undefined;
}

/** The reply that makes the client call again at once. */
export async function anotherLeg(call: Call, inquiryId: string, round: number): Promise<Unfinished> {
  const next: Leg = { inquiryId, round, call: digestOf(call) };
  return { resultType: 'input_required', requestState: await call.parts.legs.mint(next, call.context) };
}

/** What a call asks for, to the last argument. */
export function digestOf({ tool, args }: Pick<Call, 'tool' | 'args'>): string {
  return createHash('sha256').update(canonical({ tool, args })).digest('base64url');
}
