import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionKind } from '#shared/connections/connection.ts';
import type { Called } from './store.ts';

/** What becomes of a POST to a connection's own address; its body is bytes, as they came. */
export type Take = (called: Called, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** By the kind of the connection; one that is not here takes nothing. */
export type Takes = Partial<Record<ConnectionKind, Take>>;
