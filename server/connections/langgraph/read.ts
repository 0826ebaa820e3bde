import type { z } from 'zod';
import { ServerError, type Server } from './server.ts';

/** A reply of this shape; undefined for 404. */
export async function read<T extends z.ZodType>(
  server: Server,
  path: string,
  shape: T,
  body?: object,
): Promise<z.output<T> | undefined> {
  const reply = await server.call(body ? 'POST' : 'GET', path, body);
  if (reply === undefined) return undefined;
  const { data, success } = shape.safeParse(reply);
  if (!success) throw new ServerError({ status: 200, error: `reply is not LangGraph Server's to ${path}` });
  return data;
}
