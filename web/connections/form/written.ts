import type { Connection, ConnectionKind } from '#shared/connections/connection.ts';
import type { Problem } from '#shared/problem.ts';

/** What stands in the form of a connection, as text. */
export type Written = Record<Blank, string> & { kind: ConnectionKind; forget: boolean };
export type Blank =
  | 'name'
  | 'baseUrl'
  | 'answerUrl'
  | 'to'
  | 'deadline'
  | 'platformLimit'
  | 'apiKey'
  | 'headers'
  | 'inboundSecret'
  | 'interruptAnswer'
  | 'answer';

const ALL = ['name', 'to', 'deadline', 'apiKey', 'headers'] as const;

/** What a connection of each kind has. */
export const BLANKS: Record<ConnectionKind, readonly Blank[]> = {
  chatcompletions: [...ALL, 'baseUrl', 'answerUrl', 'platformLimit', 'answer'],
  langgraph: [...ALL, 'baseUrl', 'interruptAnswer'],
  inbound: [...ALL, 'answerUrl', 'inboundSecret'],
};

const ANSWER = { inquiryId: '{inquiryId}', response: '{response}' };

/** The form of a new connection that asks this person, or of one that exists; what it keeps sealed is never shown. */
export function toWritten(connection: Connection | undefined, handle: string): Written {
  return {
    kind: connection?.kind ?? 'chatcompletions',
    name: connection?.name ?? '',
    baseUrl: connection?.baseUrl ?? '',
    answerUrl: connection?.answerUrl ?? '',
    to: connection?.to.join(', ') ?? handle,
    deadline: String(connection?.deadline ?? 300),
    platformLimit: String(connection?.platformLimit ?? ''),
    apiKey: '',
    headers: '',
    inboundSecret: '',
    interruptAnswer: connection?.interruptAnswer ?? '',
    answer: JSON.stringify(connection?.answer ?? ANSWER, null, 2),
    forget: false,
  };
}

/** What the form asks the hub for. What is no number or no JSON goes as it is written, so that the hub says so. */
export function toBody(written: Written, before: Connection | undefined): Record<string, unknown> {
  const none = before ? null : undefined;
  const body: Record<Blank, unknown> = {
    name: written.name.trim(),
    baseUrl: written.baseUrl.trim() || none,
    answerUrl: written.answerUrl.trim() || none,
    to: written.to.split(/[\s,，]+/).filter(Boolean),
    deadline: numberIn(written.deadline),
    platformLimit: written.platformLimit.trim() === '' ? none : numberIn(written.platformLimit),
    apiKey: written.apiKey.trim() || (written.forget ? null : undefined),
    headers: headersIn(written.headers) ?? (written.forget ? {} : undefined),
    inboundSecret: written.inboundSecret.trim() || (written.forget ? null : undefined),
    interruptAnswer: written.interruptAnswer || none,
    answer: jsonIn(written.answer),
  };
  const blanks = BLANKS[written.kind].map((blank) => [blank, body[blank]]);
  return { ...(before ? {} : { kind: written.kind }), ...Object.fromEntries(blanks) };
}

/** What the hub found wrong, by blank; `elsewhere` is true where it names no blank of this kind. */
export function wrongIn(kind: ConnectionKind, { faults = [] }: Problem) {
  const at = faults.map((fault) => ({ fault, blank: BLANKS[kind].find((one) => one === fault.path.split('/')[1]) }));
  return {
    of: (blank: Blank) => at.find((one) => one.blank === blank)?.fault,
    elsewhere: at.length === 0 || at.some(({ blank }) => blank === undefined),
  };
}

function numberIn(text: string): number | string {
  return /\d/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}

function headersIn(text: string): Record<string, string | null> | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.trim(), value.length === 0 ? null : value.join(':').trim()];
    }),
  );
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
