import { holdsTwice } from '#shared/json.ts';

/** What a platform says of its questions in a stream of chat completions. */
export type ChatEvent =
  | { type: 'asked'; inquiryId: string; question: string; agent?: string; runId?: string; call?: string }
  /** Another end has answered it, or the platform does not ask it any more. */
  | { type: 'ended'; inquiryId: string }
  /** A tool call is over, by its `tool_call_id`. */
  | { type: 'call_ended'; call: string }
  /** The stream is whole: nothing of it waits any longer. */
  | { type: 'done' };

/** A frame above this is passed on unread: a question is at most 64 KiB, and JSON in JSON writes a character as 12 at most. */
const FRAME_BYTES = 1_048_576;
const MARKER = 'mcp_progress_notification_data';
const TOOL_CALL = 'tool_call_id';
/** The article's "ToolCall End", to which it gives no form: a progress of another type says nothing. */
const CALL_END = /tool[\W_]?call[\W_]?end(ed)?$/i;
const DONE = '[DONE]';
const NOTHING = Buffer.alloc(0);
const LF = 10;
const CR = 13;

/**
 * Reads the article's frames from a stream of server-sent events (HTML, 9.2.6), cut anywhere. Never throws; what is not
 * such a frame, or too large, says nothing. Not by eventsource-parser: above its limit it forgets that the rest of an
 * event is one, and would hear frames in it; a line in chunks of one byte takes it 10 MB where this takes 1 MB.
 */
export function createChatParser(frameBytes = FRAME_BYTES) {
  /** The begin of a line whose end is still to come: one buffer that grows, since chunks may be of one byte. */
  let held = NOTHING;
  let lineBytes = 0;
  let afterCr = false;
  let data: string[] = [];
  let dataBytes = 0;
  let tooLarge = false;
  let first = true;

  /** Keeps a part of a line, unless its event is too large by now. */
  function keep(part: Buffer): void {
    const at = lineBytes;
    lineBytes += part.length;
    if (part.length === 0 || tooLarge) return;
    if (lineBytes + dataBytes > frameBytes) {
      tooLarge = true;
      held = NOTHING;
      data = [];
      return;
    }
    if (held.length < lineBytes) {
      const larger = Buffer.allocUnsafeSlow(Math.max(lineBytes, 2 * held.length));
      held.copy(larger, 0, 0, at);
      held = larger;
    }
    part.copy(held, at);
  }

  function endLine(rest: Buffer, events: ChatEvent[]): void {
    const isEnd = lineBytes === 0 && rest.length === 0;
    const isWhole = lineBytes === 0 && rest.length + dataBytes <= frameBytes;
    if (!isWhole) keep(rest);
    if (isEnd) {
      if (!tooLarge && data.length > 0) events.push(...parseEvent(data.join('\n')));
      data = [];
      dataBytes = 0;
      tooLarge = false;
    } else if (!tooLarge) {
      const bytes = isWhole ? rest : held.subarray(0, lineBytes);
      const text = lineData(bytes, first);
      if (text !== undefined) {
        data.push(text);
        dataBytes += bytes.length;
      }
    }
    held = NOTHING;
    lineBytes = 0;
    first = false;
  }

  return {
    /** Takes the next bytes, which it does not keep as they are; returns what they complete. */
    push(chunk: Buffer): ChatEvent[] {
      const events: ChatEvent[] = [];
      let start = 0;
      for (;;) {
        const at = nextEnd(chunk, start);
        if (at < 0) break;
        // The second half of CRLF, wherever it was cut.
        const isHalf = afterCr && at === start && chunk[at] === LF && lineBytes === 0;
        if (!isHalf) endLine(chunk.subarray(start, at), events);
        // Further line ends would end events that say nothing.
        start = data.length === 0 && !tooLarge ? afterEnds(chunk, at + 1) : at + 1;
        afterCr = chunk[start - 1] === CR;
      }
      if (start < chunk.length) {
        afterCr = false;
        keep(chunk.subarray(start));
      }
      return events;
    },
    /** The stream is over; half a frame says nothing, but its end may lack the empty line. */
    end(): ChatEvent[] {
      const rest = tooLarge ? undefined : lineBytes > 0 ? lineData(held.subarray(0, lineBytes), first) : undefined;
      return [...data, ...(rest === undefined ? [] : [rest])].join('\n') === DONE ? [{ type: 'done' }] : [];
    },
  };
}

// Each byte once: where one of the two ends does not come, to look for it would read the whole chunk for every line.
function nextEnd(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) if (chunk[at] === LF || chunk[at] === CR) return at;
  return -1;
}

function afterEnds(chunk: Buffer, from: number): number {
  let at = from;
  while (chunk[at] === LF || chunk[at] === CR) at++;
  return at;
}

/** The value of a line "data: …"; undefined for every other. */
function lineData(line: Buffer, first: boolean): string | undefined {
  let text = line.toString('utf8');
  if (first && text.startsWith('\u{feff}')) text = text.slice(1);
  if (text === 'data') return '';
  if (!text.startsWith('data:')) return undefined;
  return text.startsWith('data: ') ? text.slice(6) : text.slice(5);
}

function parseEvent(data: string): ChatEvent[] {
  if (data === DONE) return [{ type: 'done' }];
  if (!data.includes(MARKER) && !data.includes(TOOL_CALL)) return [];
  const chunk = parsed(data);
  const { agent_info: info, choices } = toMembers(chunk);
  if (!Array.isArray(choices)) return [];
  const { name, run_id: runId } = toMembers(info);
  const about = { ...short('agent', name), ...short('runId', runId) };
  return choices.slice(0, 100).flatMap((choice) => parseDelta(toMembers(toMembers(choice)['delta']), about));
}

function parseDelta(delta: Record<string, unknown>, about: object): ChatEvent[] {
  const { [MARKER]: notification, ...beside } = toMembers(delta['chatos_additional_data']);
  const { params } = toMembers(typeof notification === 'string' ? parsed(notification) : notification);
  const { meta, _meta } = toMembers(params);
  const fields = { ...toMembers(_meta), ...toMembers(meta) };
  const { inquiryId, question, type } = fields;
  // Its progress token does not name a call: each server of a platform counts its own.
  const call = [fields, beside, delta].map((place) => place[TOOL_CALL]).find(isCallId);
  const callEnded: ChatEvent[] = call === undefined ? [] : [{ type: 'call_ended', call }];
  if (notification === undefined) return delta['role'] === 'tool' ? callEnded : [];
  if (typeof type !== 'string') return [];
  const hasId = typeof inquiryId === 'string' && /^[^\p{Cc}\s]{1,200}$/u.test(inquiryId);
  if (type !== 'INQUIRY' && hasId) return [{ type: 'ended', inquiryId }];
  if (type !== 'INQUIRY') return CALL_END.test(type) ? callEnded : [];
  if (!hasId || typeof question !== 'string' || !isText(question)) return [];
  return [{ type: 'asked', inquiryId, question, ...about, ...(call === undefined ? {} : { call }) }];
}

function isCallId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= 200;
}

function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return holdsTwice(text, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

function toMembers(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function short<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  if (typeof value !== 'string' || value === '' || !isText(value)) return {};
  return { [name]: value.slice(0, 200).toWellFormed() } as Partial<Record<Name, string>>;
}

/** Text that both databases take, with something to read in it. */
function isText(value: string): boolean {
  return value.trim() !== '' && !value.includes('\0') && value.isWellFormed() && Buffer.byteLength(value) <= 65_536;
}
