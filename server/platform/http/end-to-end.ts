/** Of one connection (RFC 9110, 7.6.1), or set anew for the next one. */
const OF_THE_CONNECTION = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade expect host content-length'.split(
    ' ',
  ),
);

/** The headers that go on to the next hop: none that belongs to this connection, be it by name or because it says so. */
export function endToEnd(headers: Record<string, string | string[] | undefined>) {
  const named = new Set(
    String(headers['connection'] ?? '')
      .split(',')
      .map((name) => name.trim().toLowerCase()),
  );
  const passed: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !OF_THE_CONNECTION.has(name) && !named.has(name)) passed[name] = value;
  }
  return passed;
}
