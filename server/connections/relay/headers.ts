import { rawEndToEnd } from '../../platform/http/end-to-end.ts';

/** A browser's cookies for the hub's host are not the platform's; the host is set anew. */
const NOT_FOR_PLATFORM = /^(host|cookie)$/;

/** What a platform may not say for the hub's origin, which is also that of the page. */
const NOT_FOR_CLIENT =
  /^(set-cookie2?|clear-site-data|strict-transport-security|public-key-pins|service-worker-allowed|alt-svc|nel|report-to|reporting-endpoints|set-login|origin-agent-cluster)$/;
/** Of a reply that a browser could show as a page, the platform's own policy gives way to one that runs nothing. */
const NOT_FOR_PAGES = new RegExp(`${NOT_FOR_CLIENT.source}|^content-security-policy(-report-only)?$`);
const AS_A_PAGE = ['content-security-policy', 'sandbox'];

// Of several types a browser takes the last one.
const NO_PAGE = /^\s*(application\/([\w.-]+\+)?json|text\/event-stream)\s*(;[^,]*)?$/i;

/** What says at which page or address a request was made. */
const WHENCE = /^(referer|origin)$/;
/** A connection's own address holds its token: a client's page or a proxy may name it. */
const OWN_ADDRESS = /\/v1\/in\/bki_/;

/** The headers of a client's request as they go on to the platform, which learns nothing of the hub's own address. */
export function toPlatform(headers: readonly string[], publicUrl: string): string[] {
  const ours = [URL.parse(publicUrl)?.host, readHeader(headers, 'host')?.toLowerCase()];
  const isOurs = (value: string) => ours.includes(URL.parse(value)?.host ?? 'none');
  return pairs(rawEndToEnd(headers, NOT_FOR_PLATFORM))
    .filter(
      ([name, value]) => !(WHENCE.test(name.toLowerCase()) && isOurs(value)) && !OWN_ADDRESS.test(unescaped(value)),
    )
    .flat();
}

/** The headers of a platform's reply as they go back to its client. */
export function toClient(headers: readonly string[]): string[] {
  const types = headers.filter((_value, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'content-type');
  return NO_PAGE.test(types.join())
    ? rawEndToEnd(headers, NOT_FOR_CLIENT)
    : [...rawEndToEnd(headers, NOT_FOR_PAGES), ...AS_A_PAGE];
}

/** The first header of this name. */
export function readHeader(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}

/**
 * Whether a header holds a credential of the hub, wherever in it a client put that: after a scheme, as a parameter, or in
 * the base64 of a name with a password.
 */
export function holdsOurs(headers: readonly string[]): boolean {
  return pairs(headers).some(([, value]) =>
    [value, unescaped(value), ...(value.match(/[\w+/-]{30,}/g) ?? []).map(decoded)].some((text) => OURS.test(text)),
  );
}

const OURS = /(?<![\w-])bk[a-z]_[\w-]{20}/;

function decoded(text: string): string {
  return Buffer.from(text, 'base64').toString('latin1');
}

/** With what "%2F" stands for, however often that was escaped. */
function unescaped(text: string): string {
  return text.replace(/%(?:25)*([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function pairs(headers: readonly string[]): [name: string, value: string][] {
  return headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : []));
}
