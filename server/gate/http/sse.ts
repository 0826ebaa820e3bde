/** A stream of server-sent events, cut into its events without changing a byte; what stays open at its end comes last. */
export async function* eventsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  // Latin-1 maps bytes to characters one to one, so that a cut character survives.
  let rest = '';
  for await (const chunk of chunks) {
    const from = Math.max(0, rest.length - 3);
    rest += chunk.toString('latin1');
    const ends = /\r\n\r\n|\n\n|\r\r/g;
    ends.lastIndex = from;
    let start = 0;
    for (let end = ends.exec(rest); end; end = ends.exec(rest)) {
      yield Buffer.from(rest.slice(start, ends.lastIndex), 'latin1');
      start = ends.lastIndex;
    }
    rest = rest.slice(start);
  }
  if (rest !== '') yield Buffer.from(rest, 'latin1');
}

/** The data of one event (HTML, 9.2.6), or undefined where it has none. */
export function dataOf(event: Buffer): string | undefined {
  const lines = event
    .toString('utf8')
    .split(/\r\n|\n|\r/)
    .flatMap((line) => /^data(?:: ?(.*))?$/s.exec(line)?.[1] ?? []);
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** One message as an event. */
export function eventOf(message: string): string {
  return `event: message\n${message
    .split(/\r\n|\n|\r/)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}
