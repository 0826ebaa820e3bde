const { BECKON_URL, BECKON_KEY, BECKON_DEADLINE = '3600' } = process.env;

/** Asks people through the hub in a framework's own JSON, and gives the framework's own reply; throws where there is none. */
export async function ask(dialect, body) {
  const response = await fetch(`${BECKON_URL}/v1/ask/${dialect}?deadline=${BECKON_DEADLINE}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BECKON_KEY}` },
    body: JSON.stringify(body),
  });
  const reply = await response.json();
  // The headers of a call that waits are sent before anybody has decided.
  if (!response.ok || reply.type?.startsWith('urn:beckon:problem:')) throw new Error(`${reply.code}: ${reply.detail}`);
  return reply;
}
