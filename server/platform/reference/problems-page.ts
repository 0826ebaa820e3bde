import { PROBLEMS } from '#shared/reference/problems.ts';

const WHEN: Record<string, string> = {
  400: 'The call cannot be read',
  401: 'No credential that counts',
  403: 'Not with this credential',
  404: 'Not there, or not for you',
  409: 'Not as things stand',
  410: 'Gone',
  422: 'Read, and not acceptable',
  429: 'Too much at once',
  500: 'A fault in the hub',
  503: 'Not now',
};

/** Every code of a problem with what to do, as one page. */
export function problemsPage(): string {
  const sections = Object.entries(PROBLEMS).map(
    ([status, codes]) =>
      `<h2>${status}${WHEN[status] === undefined ? '' : `: ${WHEN[status]}`}</h2>\n<dl>\n${Object.entries(codes)
        .map(([code, text]) => `<dt id="${code}"><code>${code}</code></dt><dd>${html(text)}</dd>`)
        .join('\n')}\n</dl>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Beckon: every problem</title></head>
<body>
<h1>Every problem, and what to do</h1>
<p>A refusal is <code>application/problem+json</code> (RFC 9457). Its <code>code</code> stays the same, <code>detail</code> says what is wrong in one sentence, and <code>faults</code>, where there are any, say where: <code>path</code> is a JSON Pointer into what was sent. <code>type</code> is <code>urn:beckon:problem:</code> and the code. After 500 and 503 send the same call again; with the same key nothing is done twice.</p>
${sections.join('\n')}
</body></html>
`;
}

function html(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/`([^`]*)`/g, '<code>$1</code>');
}
