/** Of one connection (RFC 9110, 7.6.1), or set anew for the next one. */
const OF_THE_CONNECTION = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade expect host content-length'.split(
    ' ',
  ),
);

/** The same for headers as they came, in their order and letters; `more` are left out as well. */
export function rawEndToEnd(headers: readonly string[], more: RegExp): string[] {
  const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as const] : []));
  const named = new Set(
    pairs
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.split(',').map((one) => one.trim().toLowerCase())),
  );
  const isChunked = pairs.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  return pairs
    .filter(([given]) => {
      const name = given.toLowerCase();
      // Its bytes are not touched: without its length, whatever names that, a body would be read as the next message.
      if (name === 'content-length') return !isChunked;
      return !OF_THE_CONNECTION.has(name) && !named.has(name) && !more.test(name);
    })
    .flat();
}

/** The headers that go on to the next hop: none that belongs to this connection, be it by name or because it says so. */
export function endToEnd(headers: Record<string, string | string[] | undefined>) {
  const named = new Set(
    String(headers['connection'] ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  );
  const sent: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OF_THE_CONNECTION.has(name) && !named.has(name)) sent[name] = value;
  }
  return sent;
}
