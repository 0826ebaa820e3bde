import { startNodes } from './hub/nodes.ts';
import { enrollByLink, goTo } from './page/sign-in.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, originOf, settle, test } from './page/scene.ts';

test('two nodes behave like one: what is asked on one is answered on the other, and both pages know', async ({
  openBrowser,
}) => {
  const { nodes, remove } = await startNodes('Postgres', 2);
  try {
    const [first, second = first] = nodes;
    const place = await settle(first);
    const open = async (node: typeof first, name: string) => {
      const page = await openBrowser(originOf(node));
      await enrollByLink(page, `${originOf(node)}/enroll${new URL(await place.link()).hash}`, name);
      return new InquiryPage(page);
    };
    const [here, there] = [await open(first, 'Laptop'), await open(second, 'Phone')];
    const asked = await place.ask({ prompt: 'Which node holds this?' });
    const waiting = place.read(asked, 60);
    for (const inquiry of [here, there]) await inquiry.open('Which node holds this?');
    await here.answer.fill('Perhaps');
    await expect(there.panel.getByText('You are writing this on Laptop.')).toBeVisible();
    await there.answer.fill('Both');
    await there.decide('Send');
    expect((await waiting).resolution).toMatchObject({ text: 'Both', by: { device: { name: 'Phone' } } });
    await expect(here.verdict).toHaveText('You answered this on Phone.');
    await expect(here.panel.getByRole('textbox', { name: 'Your words are kept' })).toHaveValue('Perhaps');
    for (const { page } of [here, there]) {
      await goTo(page, 'History');
      await expect(page.getByRole('listitem').filter({ hasText: 'Which node holds this?' })).toContainText(
        /Both.*By you, on Phone/,
      );
    }
  } finally {
    await remove();
  }
});
