import { mkdirSync } from 'node:fs';
import type { Ask } from '#shared/inquiry.ts';
import { expect, test } from './page/scene.ts';
import { InquiryPage } from './page/inquiry.ts';
import { must } from './hub/call.ts';
import { SIZES } from './page/sizes.ts';

const allowed: ['approve', 'reject'] = ['approve', 'reject'];
const bash = (command: string) => ({ name: 'Bash', args: { command }, allowed });
const POST = { name: 'mcp__slack__post_message', args: { channel: '#general', text: 'Done' }, allowed };
const DIFF = [{ path: 'src/app.ts', oldText: 'a\nb\nc', newText: 'a\nx\ny\nc' }];
const ASKS: [Ask, en: string, zh: string][] = [
  [{ actions: [bash('ls'), bash('git status'), POST] }, '3 calls: Bash 2, Slack 1', '3 个调用：Bash 2，Slack 1'],
  [
    { actions: [{ name: 'Edit', args: { file_path: 'src/app.ts' }, diff: DIFF, allowed }] },
    'Write src/app.ts +2 −1',
    '写入 src/app.ts +2 −1',
  ],
  [{ actions: [POST] }, 'Post to #general Done (slack)', '发布 至 #general Done（slack）'],
  [{ actions: [bash('deploy --token hunter2')] }, 'Run deploy --token ••••', '执行 deploy --token ••••'],
  [
    { actions: [bash('npm run db:migrate -- --from 20260101 --to 20261123 --verbose --with-locks --env staging')] },
    'Run npm run db:migrate -- --from … --with-locks --env staging',
    '执行 npm run db:migrate -- --from … --with-locks --env staging',
  ],
];

for (const [size, viewport] of Object.entries(SIZES))
  for (const colorScheme of ['light', 'dark'] as const)
    test(`calls without a title are called by what they will do, on a ${size} in ${colorScheme}`, async ({
      place,
      openDevice,
    }) => {
      const asked = [];
      for (const [one] of ASKS) asked.push(await place.ask(one));
      const page = await openDevice('Mine', { viewport, colorScheme });
      const inquiry = new InquiryPage(page);
      const shots = process.env['SHOTS'];
      const shoot = async (name: string) => {
        if (!shots) return;
        mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: `${shots}/${name}--${size}-${colorScheme}.png` });
      };
      for (const locale of ['en', 'zh'] as const) {
        await must(place.hub, 'PATCH /v1/people/me', { token: place.mara.token, body: { locale } });
        await page.goto(place.origin);
        for (const [, en, zh] of ASKS)
          await expect(page.getByRole('link', { name: locale === 'en' ? en : zh })).toBeVisible();
        await shoot(`inbox-${locale}`);
        await page.goto(`${place.origin}/i/${asked[0]?.id}`);
        await expect(inquiry.heading).toHaveText(
          locale === 'en' ? '3 calls: Bash 2, Slack 1' : '3 个调用：Bash 2，Slack 1',
        );
        await shoot(`batch-${locale}`);
        await page.goto(`${place.origin}/i/${asked[4]?.id}`);
        // Both its ends stand in what is not folded; the command below it is whole.
        await expect(inquiry.heading).toContainText('npm run db:migrate');
        await expect(inquiry.heading).toContainText('--env staging');
        await expect(page.getByRole('button', { name: /more lines?$|还有 \d+ 行/ })).toHaveCount(0);
        await expect(inquiry.panel.locator('.cmd')).toHaveText(/--to 20261123 --verbose --with-locks --env staging/);
        await shoot(`one-${locale}`);
      }
    });

for (const [size, viewport] of Object.entries(SIZES))
  test(`who asks, until when and which question of how many are all read above it, on a ${size}`, async ({
    place,
    openDevice,
  }) => {
    const page = await openDevice('Phone', { viewport });
    const inquiry = new InquiryPage(page);
    const prompts = ['Whose name goes on the ticket?', 'Which class?', 'What else?'];
    const questions = prompts.map((prompt, at) => ({ id: `q${at}`, type: 'text' as const, prompt }));
    const { id } = await place.ask({ title: 'The trip to Lyon', deadline: 880, questions });
    await page.goto(`${place.origin}/i/${id}`);
    const head = inquiry.panel.locator('.inquiry-head');
    await expect(head.getByText(/^Due .* min left$/)).toBeVisible();
    await expect(head.getByText('First of three')).toBeVisible();
    await expect(head.getByRole('button', { name: /more lines?/ })).toHaveCount(0);
    const width = (part: string) => head.locator(part).evaluate((element) => element.getBoundingClientRect().width);
    expect(await width('.from')).toBeGreaterThan(100);
    expect(await width('.steps')).toBeGreaterThan(50);
  });

test('quotes in English stand close to what is quoted, also where the only serif is a Chinese one', async ({
  openDevice,
}) => {
  const page = await openDevice('MacBook');
  const ems = () =>
    page.evaluate(() => {
      const mark = document.createElement('span');
      mark.style.font = '400 100px var(--serif)';
      mark.textContent = '“';
      document.body.append(mark);
      const { width } = mark.getBoundingClientRect();
      mark.remove();
      return width / 100;
    });
  await expect.poll(ems).toBeLessThan(0.7);
});
