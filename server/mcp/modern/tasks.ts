import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import { readForSource } from '../../inquiries/read.ts';
import { collectWith } from '../../inquiries/wait.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import type { Parts } from '../parts.ts';
import { outcomeResult } from '../result.ts';
import { visitOf } from '../visit.ts';
import { declaresTasks, TASKS } from '../waiting/choose.ts';
import { taskFields } from '../waiting/task.ts';
import { wordsIn } from '../words/words.ts';

const Params = z.looseObject({
  taskId: z
    .string()
    .max(100)
    .regex(/^\P{Cc}*$/u),
});

/**
 * The methods of the tasks extension (SEP-2663), which the library does not have: a task is an inquiry of the source
 * that asks, whoever made it a task.
 */
export function registerTasks(server: Server, parts: Parts): void {
  const { inquiries } = parts;
  const schemas = { params: Params };
  server.setRequestHandler('tasks/get', schemas, async ({ taskId }, context) => {
    const inquiry = await find(parts, taskId, context);
    const { reply, locale } = visitOf(context);
    collectWith(inquiries, reply, inquiry);
    return { ...taskFields(inquiry, parts), ...stateOf(inquiry, wordsIn(locale)) };
  });
  server.setRequestHandler('tasks/update', schemas, async ({ taskId }, context) => {
    // A person is asked on their devices and never through the client, so there is nothing to take.
    await find(parts, taskId, context);
    return {};
  });
  server.setRequestHandler('tasks/cancel', schemas, async ({ taskId }, context) => {
    const { source } = await find(parts, taskId, context);
    // Where somebody answered first tasks/get says what.
    await withdrawIfOpen(inquiries, source.id, taskId, 'The call was cancelled.');
    return {};
  });
}

async function find({ inquiries }: Parts, taskId: string, context: ServerContext): Promise<Inquiry> {
  const { caller } = visitOf(context);
  if (!declaresTasks(context.mcpReq))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
  try {
    if (caller.kind === 'source') return await readForSource(inquiries, taskId, caller.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task.');
}

function stateOf(inquiry: Inquiry, words: ReturnType<typeof wordsIn>): Record<string, unknown> {
  const { resolution } = inquiry;
  if (!resolution) return { status: 'working', statusMessage: words.waitingFor(inquiry.to) };
  if (resolution.outcome === 'withdrawn') return { status: 'cancelled', statusMessage: resolution.text };
  return { status: 'completed', result: { resultType: 'complete', ...outcomeResult(inquiry, words) } };
}
