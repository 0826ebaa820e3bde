/** Why a text is not JSON, as the code of a fault; undefined when it is. */
export function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return 'json.malformed';
  }
}

/** The first number of a JSON text that would change on its way through a double. */
export function inexactNumber(text: string): string | undefined {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g)) {
    if (!token.startsWith('"') && /^-?\d{16,}$/.test(token) && String(Number(token)) !== token) return token;
  }
  return undefined;
}
