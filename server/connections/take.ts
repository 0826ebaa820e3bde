import type { FastifyRequest } from 'fastify';
import type { ConnectionKind } from '#shared/connections/connection.ts';
import type { Called } from './store.ts';

/** A reply, and the inquiries that the call was about. */
export type Taken = { status: number; body?: object; inquiries?: string[] };

/** What becomes of a POST to a connection's own address; its body is bytes, as they came. */
export type Take = (called: Called, request: FastifyRequest) => Promise<Taken>;

/** What a POST hurries whose body is not read, since anybody may have written it. */
export type Hints = Partial<Record<ConnectionKind, (sourceId: string) => void>>;

/** By the kind of the connection; one that is not here takes nothing. */
export type Takes = Partial<Record<ConnectionKind, Take>>;
