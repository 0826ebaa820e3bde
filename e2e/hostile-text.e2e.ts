import { InquiryPage } from './page/inquiry.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

const ELSEWHERE = 'https://evil.example.com';

const HARMFUL = `# A heading <script>window.harmed = 'script in a heading'</script>

<script>window.harmed = 'script'</script>
<img src="${ELSEWHERE}/pixel.png" onerror="window.harmed = 'onerror'">
<iframe src="${ELSEWHERE}/frame"></iframe>
<style>@import url("${ELSEWHERE}/style.css"); body { display: none }</style>
<form action="${ELSEWHERE}"><input name="a" autofocus onfocus="window.harmed = 'onfocus'"></form>
<svg onload="window.harmed = 'onload'"><a href="javascript:window.harmed=1">svg</a></svg>

![a picture](${ELSEWHERE}/picture.png "title")
[press me](javascript:window.harmed='link')
[press me too](data:text/html,<script>window.harmed='data'</script>)
[vbscript](vbscript:msgbox)
[my bank](${ELSEWHERE}/bank)
<${ELSEWHERE}/auto>
[ref]: javascript:window.harmed='ref'
[ref]

\`\`\`html
<script>window.harmed = 'fence'</script>
\`\`\`

| a | b |
|---|---|
| <b onmouseover="window.harmed='cell'">b</b> | \u202Etxt.exe |
`;

test('markdown with scripts, raw HTML and javascript: links harms nobody and calls nobody', async ({
  place,
  openDevice,
}) => {
  const page = await openDevice('Phone');
  const inquiry = new InquiryPage(page);
  const markdown = `What does this do?\n\n${HARMFUL}`;
  await place.ask({
    prompt: markdown,
    questions: [
      {
        id: 'a',
        type: 'choice',
        prompt: '<img src=x onerror="window.harmed = 1"> Which?',
        options: [
          { value: 'x', label: '<b>bold</b>', description: '<script>window.harmed = 2</script>', preview: HARMFUL },
        ],
      },
    ],
  });
  await inquiry.open('What does this do?');
  await inquiry.panel.getByText('Show more').click();
  await expect(inquiry.panel.getByText('my bank').first()).toBeVisible();

  const links = inquiry.panel.getByRole('link');
  await expect(inquiry.panel.getByRole('link', { name: 'my bank' }).first()).toHaveAttribute(
    'href',
    `${ELSEWHERE}/bank`,
  );
  await expect(inquiry.panel.getByRole('link', { name: 'my bank' }).first()).toHaveAttribute('rel', /noopener/);
  await expect(inquiry.panel.getByText('evil.example.com', { exact: true }).first()).toBeVisible();
  for (const link of await links.all()) expect(await link.getAttribute('href')).toMatch(/^https?:/);
  await expect(inquiry.panel.getByRole('img', { name: 'a picture' })).toHaveCount(0);
  for (const element of ['script', 'iframe', 'img', 'form', 'style', 'object'])
    await expect(page.getByRole('main').locator(element), element).toHaveCount(0);
  await inquiry.panel.getByText('press me', { exact: false }).first().click();
  expect(await page.evaluate('window.harmed')).toBeUndefined();
  expect(page.url()).toBe(`${place.origin}/i/${page.url().split('/').at(-1)}`);
});

test('characters that turn text around are shown by name wherever a source may write', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone'));
  const turned = 'Delete \u202Egpj.stnuocca\u202C\u2066?';
  await place.ask({
    title: turned,
    actions: [
      { name: 'rm\u202E', args: { path: '/tmp/\u202Ecod.exe', '\u2067key': 1 }, allowed: ['approve', 'reject'] },
    ],
    context: { agent: 'bot\u202E', cwd: '/srv/\u202Eshop' },
  });
  await inquiry.open('U+202Egpj.stnuocca');
  await expect(inquiry.heading).toHaveText('Delete U+202Egpj.stnuoccaU+202CU+2066?');
  await expect(inquiry.panel.getByRole('row')).toHaveText(['path/tmp/U+202Ecod.exe', 'U+2067key1']);
  const everything = await inquiry.page.getByRole('document').or(inquiry.page.locator('body')).first().innerText();
  expect(everything).not.toMatch(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/);
  expect(await inquiry.page.title()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
});

const STATIC = { viewport: { width: 390, height: 844 } };

test('a picture of any size is never fetched, and a prompt of 64 KiB is readable to its end', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone', STATIC));
  const line = `- ![huge](${ELSEWHERE}/huge.png) **bold** \`code\` <img width=99999 height=99999 src=${ELSEWHERE}/x.png>\n`;
  const begin = 'What is the last word?\n\n';
  const end = '\n\nThe last word is wren.';
  const prompt = begin + line.repeat(Math.floor((65_000 - begin.length - end.length) / line.length)) + end;
  expect(new TextEncoder().encode(prompt).length).toBeGreaterThan(64_000);
  const asked = await place.ask({ prompt });
  await inquiry.open('What is the last word?');
  await expect(inquiry.panel.getByText('The last word is wren.')).toBeVisible();
  await expect(inquiry.panel.locator('img')).toHaveCount(0);
  expect(await inquiry.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await inquiry.answer.fill('Wren');
  await inquiry.decide('Send');
  expect((await place.read(asked)).resolution).toMatchObject({ text: 'Wren' });
});

test('20 questions of 50 options are asked one by one, each with all its options', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Phone', STATIC));
  const options = Array.from({ length: 50 }, (_, at) => ({
    value: `o${at}`,
    label: `Option ${at + 1} ${'with a long name '.repeat(6)}`,
  }));
  const asked = await place.ask({
    title: 'A long list',
    questions: Array.from({ length: 20 }, (_, at) => ({
      id: `q${at}`,
      type: 'choice' as const,
      prompt: `Question ${at + 1}, ${'word '.repeat(40)}?`,
      options,
    })),
  });
  const { clock } = inquiry.page;
  await clock.install();
  await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
  await expect(inquiry.heading).toContainText('Question 1,');
  // Else it goes on before a busy machine has looked at what was pressed.
  await clock.pauseAt(Date.now() + 60_000);
  for (let at = 1; at <= 20; at++) {
    await expect(inquiry.heading).toContainText(`Question ${at},`);
    await expect(inquiry.panel.getByRole('radio')).toHaveCount(50);
    // A question takes no press in its first moment, and goes on a moment after one.
    await clock.runFor(500);
    const option = inquiry.panel.getByRole('radio').nth(at);
    await option.click();
    await expect(option).toBeChecked();
    if (at < 20) await clock.runFor(500);
  }
  // Where the next question was pressed, nothing is sent for a second.
  await clock.runFor(1000);
  await inquiry.panel.getByRole('button', { name: /^Send/ }).click();
  await expect(inquiry.verdict).toBeVisible();
  const values = (await place.read(asked)).resolution?.answer?.values ?? {};
  expect(Object.values(values)).toEqual(Array.from({ length: 20 }, (_, at) => `o${at + 1}`));
});

test('a command disguised by characters that turn text around is shown as it would run, and folded text says so', async ({
  place,
  openDevice,
}) => {
  const inquiry = new InquiryPage(await openDevice('Phone', STATIC));
  const script = `echo safe # \u202E/ fr- mr\u202C\n${Array.from({ length: 200 }, (_, at) => `step ${at}`).join('\n')}\nrm -rf /`;
  await place.ask({
    prompt: 'May I tidy up?',
    actions: [{ name: 'bash', args: { command: script }, allowed: ['approve', 'edit', 'reject'] }],
  });
  // The line that destroys is named above it as well.
  const drawn = inquiry.panel.locator('pre').filter({ hasText: 'rm -rf /' });
  await inquiry.open('May I tidy up?');
  await expect(inquiry.panel.getByText('U+202E')).toBeVisible();
  await expect(inquiry.panel.locator('.call-risk')).toContainText('line 202: rm -rf /');
  await expect(drawn).toHaveCount(0);
  await inquiry.panel.getByRole('button', { name: /^\d+ more lines below, \d+ characters/ }).click();
  await expect(drawn).toBeVisible();
  await place.ask({
    prompt: 'May I wipe it?',
    deadline: 3600,
    actions: [{ name: 'bash', args: { command: script }, caution: true, allowed: ['approve', 'reject'] }],
  });
  await inquiry.page.goto(place.origin);
  await inquiry.open('May I wipe it?');
  await expect(drawn, 'what cannot be taken back is never folded').toBeVisible();
  await expect(inquiry.panel.getByRole('button', { name: /more lines below/ })).toHaveCount(0);
});
