import type { FastifyReply } from 'fastify';
import { JSON_TYPE } from '../platform/http/late-reply.ts';
import type { Dialect } from './dialect.ts';

/**
 * The kind of a reply to a hook, in the header `Beckon-Reply`: somebody decided, nobody has to be asked, or nobody decided.
 * `waiting`: the headers left before the decision, so only the body tells.
 */
type Kind = 'decision' | 'pass' | 'undecided' | 'waiting';

const LONGEST_REASON = 300;

/** Names the kind of a reply to a hook, and why nobody decided; a reply without it is of a proxy, and no decision. */
export function nameKind(reply: FastifyReply, { undecided }: Dialect, kind: Kind, reason?: string): FastifyReply {
  if (!undecided) return reply;
  if (reason !== undefined)
    reply.header(
      'beckon-reason',
      reason
        .replaceAll(/[^ -~]/g, '?')
        .slice(0, LONGEST_REASON)
        .trim(),
    );
  // A proxy that keeps it would decide the next call.
  return reply.headers({ 'beckon-reply': kind, 'cache-control': 'no-store' });
}

/** Replies to a hook by one line of JSON, by whose end a shell knows that it is whole; to any other framework by JSON. */
export function replyAtOnce(reply: FastifyReply, { undecided }: Dialect, body: unknown): FastifyReply {
  return undecided ? reply.type(JSON_TYPE).send(`${JSON.stringify(body)}\n`) : reply.send(body);
}
