import type { ZodTypeProvider } from '../../../node_modules/fastify-type-provider-zod/dist/cjs/index.d.cts';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from '../../../node_modules/fastify/fastify.d.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Http = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;
