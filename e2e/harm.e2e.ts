import { Letter } from './page/letter.ts';
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
  const letter = new Letter(page);
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
  await letter.open('What does this do?');
  await letter.sheet.getByText('Show more').click();
  await expect(letter.sheet.getByText('my bank').first()).toBeVisible();

  const links = letter.sheet.getByRole('link');
  await expect(letter.sheet.getByRole('link', { name: 'my bank' }).first()).toHaveAttribute(
    'href',
    `${ELSEWHERE}/bank`,
  );
  await expect(letter.sheet.getByRole('link', { name: 'my bank' }).first()).toHaveAttribute('rel', /noopener/);
  await expect(letter.sheet.getByText('evil.example.com', { exact: true }).first()).toBeVisible();
  for (const link of await links.all()) expect(await link.getAttribute('href')).toMatch(/^https?:/);
  await expect(letter.sheet.getByRole('img', { name: 'a picture' })).toHaveCount(0);
  for (const element of ['script', 'iframe', 'img', 'form', 'style', 'object'])
    await expect(page.getByRole('main').locator(element), element).toHaveCount(0);
  await letter.sheet.getByText('press me', { exact: false }).first().click();
  expect(await page.evaluate('window.harmed')).toBeUndefined();
  expect(page.url()).toBe(`${place.origin}/i/${page.url().split('/').at(-1)}`);
});

test('characters that turn text around are shown by name wherever a source may write', async ({
  place,
  openDevice,
}) => {
  const letter = new Letter(await openDevice('Phone'));
  const turned = 'Delete \u202Egpj.stnuocca\u202C\u2066?';
  await place.ask({
    title: turned,
    actions: [
      { name: 'rm\u202E', args: { path: '/tmp/\u202Ecod.exe', '\u2067key': 1 }, allowed: ['approve', 'reject'] },
    ],
    context: { agent: 'bot\u202E', cwd: '/srv/\u202Eshop' },
  });
  await letter.open('U+202Egpj.stnuocca');
  await expect(letter.heading).toHaveText('Delete U+202Egpj.stnuoccaU+202CU+2066?');
  await expect(letter.sheet.getByRole('row')).toHaveText(['path/tmp/U+202Ecod.exe', 'U+2067key1']);
  const everything = await letter.page.getByRole('document').or(letter.page.locator('body')).first().innerText();
  expect(everything).not.toMatch(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/);
  expect(await letter.page.title()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
});
