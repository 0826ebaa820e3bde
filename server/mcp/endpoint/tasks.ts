import { collectRead } from '../../inquiries/collected.ts';
import type { Words } from './words/vocabulary.ts';
import {
  CLIENT_CAPABILITIES_META_KEY,
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
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import { HOUR_MS } from '../../platform/clock.ts';
import { InquiryId, readMcpRequest, type Parts } from './call.ts';
import { outcomeResult } from './result.ts';
import { wordsIn } from './words/words.ts';

/** The extension that lets a call return at once and be asked after (SEP-2663). */
export const TASKS = 'io.modelcontextprotocol/tasks';

/** Whether this very request says that its client knows tasks; only modern requests can. */
export function declaresTasks({ mcpReq: { envelope } }: ServerContext): boolean {
  const declared = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  return (declared as { extensions?: Record<string, unknown> } | undefined)?.extensions?.[TASKS] !== undefined;
}

const Params = z.looseObject({ taskId: InquiryId });

/**
 * The methods of the tasks extension (SEP-2663), which the library does not have: a task is an inquiry of the source
 * that asks, whoever made it a task.
 */
export function registerTasks(server: Server, parts: Parts): void {
  const { inquiries } = parts;
  const schemas = { params: Params };
  server.setRequestHandler('tasks/get', schemas, async ({ taskId }, context) => {
    const inquiry = await find(parts, taskId, context);
    const { written, locale } = readMcpRequest(context);
    collectRead(inquiries, written, inquiry);
    return { ...taskFields(inquiry, parts), ...taskState(inquiry, wordsIn(locale), inquiries.database.clock.now()) };
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
  const { caller } = readMcpRequest(context);
  if (!declaresTasks(context))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS]: {} } } });
  try {
    if (caller.kind === 'source') return await readForSource(inquiries, taskId, caller.id);
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error;
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such task.');
}

function taskState(inquiry: Inquiry, words: Words, now: number): Record<string, unknown> {
  const { resolution } = inquiry;
  if (!resolution) return { status: 'working', statusMessage: words.waitingFor(inquiry.to) };
  if (resolution.outcome === 'withdrawn') return { status: 'cancelled', statusMessage: resolution.text };
  return { status: 'completed', result: { resultType: 'complete', ...outcomeResult(inquiry, words, { now }) } };
}

/** The members that every message about a task has; the inquiry's id is the task's, and only its source can read it. */
function taskFields(inquiry: Inquiry, { pace, inquiries }: Parts) {
  const { id: taskId, openedAt, deadlineAt, resolution } = inquiry;
  return {
    taskId,
    createdAt: openedAt,
    lastUpdatedAt: resolution?.at ?? openedAt,
    // An answer in the last moment can still be fetched; the inquiry itself stays for as long as the hub retains it.
    ttlMs: Math.max(0, Date.parse(deadlineAt) - inquiries.database.clock.now()) + HOUR_MS,
    pollIntervalMs: pace.taskPollMs,
  };
}

/** The reply of a call that goes on as a task (SEP-2663). */
export function toTask({ parts, words }: { parts: Parts; words: Words }, inquiry: Inquiry) {
  return {
    resultType: 'task' as const,
    status: 'working',
    statusMessage: words.waitingFor(inquiry.to),
    ...taskFields(inquiry, parts),
  };
}
