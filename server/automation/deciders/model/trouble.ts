/** More of a decider's replies is not read. */
export const REPLY_BYTES = 1_048_576;

/** What kept a decider from answering: one sentence that says what to do. */
export class Trouble extends Error {}

/** A status that is no answer. */
export function troubleOfStatus(status: number, url: string): Trouble {
  const host = hostOf(url);
  if (status < 400) return new Trouble(`${host} sends the hub elsewhere: give the decider the address it points to.`);
  if (status === 401 || status === 403)
    return new Trouble(`${host} refuses the key (${status}): give the decider another one.`);
  if (status === 404 || status === 405)
    return new Trouble(`${host} knows no such address or model (${status}): check both; an address often ends in /v1.`);
  if (status === 429) return new Trouble(`${host} takes no more calls for now (429): look at its quota.`);
  if (status >= 500) return new Trouble(`${host} fails (${status}): try again later.`);
  return new Trouble(`${host} refuses the call (${status}): its reply says why.`);
}

/** A failed connection, which `wordFor` put in a few words. */
export function troubleFor(word: string, url: string): string {
  return `${hostOf(url)} cannot be reached (${word}): check the address, and that it runs.`;
}

export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}

/** More came than is read. */
export function tooLong(url: string): Trouble {
  return new Trouble(`${hostOf(url)} replies more than ${REPLY_BYTES / 1024 / 1024} MiB: check the address.`);
}
