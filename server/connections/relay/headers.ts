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

/** The headers of a client's request as they go on to the platform. */
export function toPlatform(headers: readonly string[]): string[] {
  return rawEndToEnd(headers, NOT_FOR_PLATFORM);
}

/** The headers of a platform's reply as they go back to its client. */
export function toClient(headers: readonly string[]): string[] {
  const types = headers.filter((_value, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'content-type');
  return NO_PAGE.test(types.join())
    ? rawEndToEnd(headers, NOT_FOR_CLIENT)
    : [...rawEndToEnd(headers, NOT_FOR_PAGES), ...AS_A_PAGE];
}

/** The first header of this name. */
export function valueOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}

/** Whether a header holds a credential of the hub, as a client sends its key. */
export function holdsOurs(headers: readonly string[]): boolean {
  return headers.some((value, at) => at % 2 === 1 && /^\s*(\w+\s+)?bk[a-z]_[\w-]{20}/.test(value));
}
