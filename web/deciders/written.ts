import type { Decider } from '#shared/policies/decider.ts';

/** What stands in the form of a decider, as text. */
export type Written = {
  kind: Decider['kind'];
  name: string;
  url: string;
  model: string;
  tool: string;
  key: string;
  instructions: string;
  holdSeconds: string;
  timeoutSeconds: string;
  /** The key that is stored is to go. */
  forget: boolean;
};

/** The form of a new decider, or of one that exists; its key is never shown. */
export function toWritten(decider: Decider | undefined): Written {
  return {
    kind: decider?.kind ?? 'chat',
    name: decider?.name ?? '',
    url: decider?.url ?? '',
    model: decider?.model ?? '',
    tool: decider?.tool ?? '',
    key: '',
    instructions: decider?.instructions ?? '',
    holdSeconds: String(decider?.holdSeconds ?? 20),
    timeoutSeconds: String(decider?.timeoutSeconds ?? 30),
    forget: false,
  };
}

/** What the form asks the hub for. What is no number goes as it is written, so that the hub says so. */
export function toBody(written: Written, before: Decider | undefined): Record<string, unknown> {
  const { kind, name, url, model, tool, key, instructions, holdSeconds, timeoutSeconds, forget } = written;
  return {
    ...(before ? {} : { kind }),
    name: name.trim(),
    url: url.trim(),
    ...(kind === 'chat' ? { model: model.trim() } : { tool: tool.trim() }),
    ...(key.trim() !== '' ? { key: key.trim() } : forget ? { key: null } : {}),
    instructions: instructions.trim(),
    holdSeconds: numberIn(holdSeconds),
    timeoutSeconds: numberIn(timeoutSeconds),
  };
}

function numberIn(text: string): number | string {
  return /\d/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}
