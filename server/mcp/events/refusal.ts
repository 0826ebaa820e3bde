import { CLIENT_CAPABILITIES_META_KEY, ProtocolError, type ServerContext } from '@modelcontextprotocol/server';
import { INVALID_PARAMS } from '../messages.ts';
import { EVENTS } from './catalogue.ts';

/** The numbers of SEP-3415, and those of clients before it, which ChatGPT has. */
const NUMBERS = {
  NotFound: [-32023, -32011],
  Forbidden: [-32024, -32012],
  ResourceExhausted: [-32025, -32013],
  Unsupported: [-32026, -32014],
  CallbackEndpointError: [-32027, -32015],
  InvalidParams: [INVALID_PARAMS, INVALID_PARAMS],
} as const;
export type RefusalName = keyof typeof NUMBERS;

/** Why a call about events is refused, whichever numbers its client reads. */
export class EventRefusal extends Error {
  override readonly name: RefusalName;
  readonly data: Record<string, unknown> | undefined;

  constructor(name: RefusalName, message: string, data?: Record<string, unknown>) {
    super(message);
    this.name = name;
    this.data = data;
  }

  /** As this request's client reads it: one that says it knows the extension has the numbers of the extension. */
  toProtocolError(context: ServerContext): ProtocolError {
    return new ProtocolError(codeOf(this.name, declaresEvents(context)), this.message, this.data);
  }
}

export function codeOf(name: RefusalName, declared: boolean): number {
  return NUMBERS[name][declared ? 0 : 1];
}

function declaresEvents({ mcpReq: { envelope } }: ServerContext): boolean {
  const declared = (envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const { extensions } = (declared ?? {}) as { extensions?: Record<string, unknown> | null };
  return extensions?.[EVENTS] !== undefined;
}
