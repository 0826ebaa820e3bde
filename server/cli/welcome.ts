import { join, resolve } from 'node:path';
import { renderUnicodeCompact } from 'uqr';
import { firstLink } from '../devices/enrolments/link.ts';
import {
  commandLineKeyFile,
  ensureCommandLineKey,
  keepAddress,
  keepPublicUrl,
  writePrivate,
  type HubData,
} from './command/hub-data.ts';
import type { Output } from './command/terminal.ts';

/**
 * What a starting hub says: where it is, and, while nobody is signed in anywhere, the one-time link
 * and a `curl` line that asks the first question. Where output ends in logs, no secret stands in it.
 */
export async function welcome(hub: HubData, out: Output): Promise<void> {
  const { database, settings, publicUrl } = hub;
  await keepAddress(hub);
  out.write(`Beckon is open at ${publicUrl}\n`);
  await keepPublicUrl(database, publicUrl);
  const key = await ensureCommandLineKey(hub);
  const link = await firstLink(database, publicUrl);
  if (!link) return;
  await printLink(link, { out, dataDir: settings.DATA_DIR, whose: 'your first device' });
  const shownKey = out.isTTY ? key : `$(cat ${resolve(commandLineKeyFile(settings.DATA_DIR))})`;
  out.write(
    `
Then ask the first question. The line waits 50 s for your answer; after that it prints nothing, and the question stays open:

${curlLine(publicUrl, shownKey)}

`,
  );
  if (!publicUrl.startsWith('https:')) out.write(phones(publicUrl));
}

function curlLine(publicUrl: string, key: string): string {
  const ask = `{"questions":[{"id":"day","type":"choice","prompt":"Which day suits you?","options":[{"value":"mon","label":"Monday"},{"value":"tue","label":"Tuesday"}],"allowOther":true}]}`;
  return `curl -s "${publicUrl}/v1/inquiries?wait=50" -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -H "Accept: text/plain" -d '${ask}'`;
}

function phones(publicUrl: string): string {
  const port = new URL(publicUrl).port || '80';
  return `Phones need https. The two shortest ways: "tailscale serve ${port}", or Caddy with your own name (infra/README.md);
then start with PUBLIC_URL=https://that-name. Until then ${publicUrl} works while its page is open, without push;
HOST=0.0.0.0 PUBLIC_URL=http://this-machine:${port} opens it to your network.
`;
}

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
    // Whoever scans an address of this machine comes to their own.
    const code = new URL(link).hostname === 'localhost' ? '' : `${renderUnicodeCompact(link, { border: 2 })}\n\n`;
    out.write(`Sign-in link for ${whose}. ${until}\n\n${code}${link}\n`);
    return;
  }
  const file = resolve(join(dataDir, 'sign-in-link'));
  await writePrivate(file, `${link}\n`);
  out.write(`The sign-in link for ${whose} is in ${file}, which only this account can read. ${until}\n`);
}
