import type { Inquiry } from '#shared/inquiry.ts';

/** The run that an inquiry belongs to: the same source and its run, thread or group; undefined where its source names none. */
export function runOf({ source, context, group }: Pick<Inquiry, 'source' | 'context' | 'group'>): string | undefined {
  const run = context?.runId ?? context?.threadId ?? group;
  return run === undefined ? undefined : JSON.stringify([source.id, run]);
}
