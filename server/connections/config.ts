import { fault, invalid } from '#shared/faults.ts';
import type { ChangeConnection, ConnectionKind } from '#shared/connections/connection.ts';
import { AppError } from '#shared/problem.ts';
import { seal, unseal } from '../platform/secrets/secrets.ts';

/** What a connection keeps beside its source. */
export type Config = {
  baseUrl?: string | undefined;
  deadline: number;
  platformLimit?: number | undefined;
  interruptAnswer?: 'text' | 'confirm' | undefined;
  enabled: boolean;
};

/** The hub's own credentials, and for which hosts they were given. They stand here in clear, in memory alone. */
export type Credentials = {
  apiKey?: string | undefined;
  headers: Record<string, string>;
  /** What messages to the connection's own address are signed with. */
  inboundSecret?: string | undefined;
  /** The origins of the base and the answer address. */
  origins: string[];
};

/** The body of an answer, where the owner wrote no other: the article's. */
export const ANSWER = { inquiryId: '{inquiryId}', response: '{response}' };
const DEADLINE_SECONDS = 300;

/** Throws 422 with all that keeps a connection of this kind from being used as it is written. */
export function refuseFaulty(
  kind: ConnectionKind,
  { baseUrl, answerUrl, answer, headers = {}, inboundSecret, interruptAnswer }: Written & Given,
): void {
  const [inbound, langgraph] = [kind === 'inbound', kind === 'langgraph'];
  const resumes = 'is not for "langgraph": the hub resumes the thread itself';
  const rules: [broken: boolean, member: string, code: string, message: string][] = [
    [!inbound && baseUrl === undefined, 'baseUrl', 'base_url', 'is missing: where the platform answers'],
    [inbound && baseUrl !== undefined, 'baseUrl', 'base_url', 'is not for "inbound": the hub calls nobody there'],
    [langgraph && answerUrl !== undefined, 'answerUrl', 'answer_url', resumes],
    [langgraph && !!answer, 'answer', 'answer', resumes],
    [!langgraph && !!interruptAnswer, 'interruptAnswer', 'interrupt_answer', 'is for "langgraph" alone'],
    [!inbound && typeof inboundSecret === 'string', 'inboundSecret', 'inbound_secret', 'is for "inbound" alone'],
    ...Object.keys(headers).map((name): (typeof rules)[number] => {
      return [NOT_OURS.test(name), `headers/${name}`, 'header', 'belongs to the call itself: leave it out'];
    }),
  ];
  const broken = rules.filter(([isBroken]) => isBroken);
  const faults = broken.map(([, member, code, message]) => fault(`/${member}`, `connection.${code}`, message));
  if (faults.length > 0) throw invalid(faults);
}

/** What a connection keeps after a change, or from its beginning. */
export function configAfter(before: Config | undefined, given: Changed, baseUrl: string | undefined): Config {
  const after = <T>(old: T | undefined, change: T | null | undefined): T | undefined =>
    change === undefined ? old : (change ?? undefined);
  return {
    baseUrl,
    deadline: given.deadline ?? before?.deadline ?? DEADLINE_SECONDS,
    platformLimit: after(before?.platformLimit, given.platformLimit),
    interruptAnswer: after(before?.interruptAnswer, given.interruptAnswer),
    enabled: given.enabled ?? before?.enabled ?? true,
  };
}

type Changed = Pick<ChangeConnection, 'deadline' | 'platformLimit' | 'interruptAnswer' | 'enabled'>;

const NOT_OURS =
  /^(host|connection|content-length|content-type|content-encoding|transfer-encoding|keep-alive|te|trailer|upgrade|expect|accept-encoding|webhook-.*|user-agent|proxy-connection)$/i;

const OTHER_HOST = 'was not given for the new host: give it again, or remove what is stored';

type Written = { baseUrl?: string | undefined; answerUrl?: string | undefined };
type Given = {
  apiKey?: string | null | undefined;
  headers?: Record<string, string> | undefined;
  inboundSecret?: string | null | undefined;
  interruptAnswer?: string | null | undefined;
  answer?: object | null | undefined;
};

/**
 * The credentials after a change. What is not sent again stays while the addresses keep their hosts: no credential goes
 * to a host it was not given for. Throws 422 otherwise.
 */
export function credentialsAfter(before: Credentials | undefined, given: Given, written: Written): Credentials {
  const origins = [written.baseUrl, written.answerUrl].flatMap((url) => (url === undefined ? [] : new URL(url).origin));
  const moved = origins.some((origin) => !before?.origins.includes(origin));
  const stored = [
    ...(before?.apiKey !== undefined && given.apiKey === undefined ? ['/apiKey'] : []),
    ...(Object.keys(before?.headers ?? {}).length > 0 && given.headers === undefined ? ['/headers'] : []),
  ];
  if (moved && stored.length > 0) {
    const code = 'connection.credentials_of_another_host';
    const detail = 'The stored key and headers were given for another host: send them again for this one.';
    throw new AppError(422, code, detail, { faults: stored.map((path) => fault(path, code, OTHER_HOST)) });
  }
  const after = (member: 'apiKey' | 'inboundSecret'): string | undefined =>
    given[member] === undefined ? before?.[member] : (given[member] ?? undefined);
  const headers = given.headers ?? before?.headers ?? {};
  const apiKey = after('apiKey');
  const twice = apiKey !== undefined && Object.keys(headers).find((name) => name.toLowerCase() === 'authorization');
  if (twice) throw invalid([fault(`/headers/${twice}`, 'connection.header', 'says again what the key says: send one')]);
  return { apiKey, headers, inboundSecret: after('inboundSecret'), origins };
}

export function sealed(key: Buffer, credentials: Credentials): string {
  return seal(key, JSON.stringify(credentials));
}

export function unsealed(key: Buffer, text: string | null): Credentials {
  return text === null ? { headers: {}, origins: [] } : (JSON.parse(unseal(key, text)) as Credentials);
}

/** The headers of a request of the hub's own to this address; none where it is not one of a host they were given for. */
export function ownHeaders({ apiKey, headers, origins }: Credentials, url: string): Record<string, string> {
  if (!origins.includes(URL.parse(url)?.origin ?? '')) return {};
  return { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers };
}

/** As LangGraph's own clients send their key. */
export function asLangGraph({ apiKey, ...credentials }: Credentials): Credentials {
  const key = apiKey === undefined ? {} : { 'x-api-key': apiKey };
  return { ...credentials, headers: { ...key, ...credentials.headers } };
}
