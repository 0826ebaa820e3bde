import { join, resolve } from 'node:path';
import { renderUnicodeCompact } from 'uqr';
import { writePrivate } from './private-file.ts';
import type { Output } from './terminal.ts';

type Link = { link: string; expiresAt: string };

/**
 * Shows a one-time link with its QR code on a terminal. Anywhere else, where output ends in logs, the link goes to
 * `DATA_DIR/sign-in-link` (0600) and the output says so.
 */
export async function printLink(
  { link, expiresAt }: Link,
  { out, dataDir, whose }: { out: Output; dataDir: string; whose: string },
): Promise<void> {
  const until = `It lets one device in, once, until ${expiresAt.slice(0, 16).replace('T', ' ')} UTC.`;
  if (out.isTTY) {
    out.write(`Sign-in link for ${whose}. ${until}\n\n${renderUnicodeCompact(link, { border: 2 })}\n\n${link}\n`);
    return;
  }
  const file = resolve(join(dataDir, 'sign-in-link'));
  await writePrivate(file, `${link}\n`);
  out.write(`The sign-in link for ${whose} is in ${file}, which only this account can read. ${until}\n`);
}
