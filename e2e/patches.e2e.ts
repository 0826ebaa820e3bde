import type { Action } from '#shared/inquiry.ts';
import { InquiryPage } from './page/inquiry.ts';
import { press } from './page/press.ts';
import { SEEN_IN } from './page/sizes.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

const WINDOWS = { ...SEEN_IN, 'a desktop at 200 %': { width: 640, height: 400 } };
const lines = (count: number, name = 'line') => Array.from({ length: count }, (_, at) => `${name} ${at + 1}`);
const FAR = lines(60);
const DIFF: Action['diff'] = [
  {
    path: 'src/sign-in.ts',
    oldText: FAR.join('\n'),
    newText: FAR.with(1, 'first change').toSpliced(57, 1, 'second', 'change').join('\n'),
  },
  { path: 'src/refresh.ts', oldText: 'a', newText: 'b' },
  { path: 'src/new.ts', oldText: '', newText: lines(30, 'new').join('\n') },
  { path: 'src/refresh.ts', oldText: 'c\nd', newText: 'c' },
];
const PATCH: Action = { name: 'apply_patch', args: {}, allowed: ['approve', 'reject'], diff: DIFF };
const TIDY = {
  input: [
    '*** Begin Patch',
    '*** Delete File: src/old.ts',
    '*** Update File: src/a.ts',
    '*** Move to: src/b.ts',
    '@@ the port',
    '-const port = 1;',
    '+const port = 2;',
    '*** End Patch',
  ].join('\n'),
};
const ITEM = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, size: { type: 'integer' } },
};
const RELEASE: Action = {
  name: 'release',
  args: { tag: 'v2.4', assets: [{ name: 'a.tgz', size: 12 }], author: { mail: { to: 'mara@example.com' } } },
  allowed: ['approve', 'edit'],
  argsSchema: {
    type: 'object',
    required: ['tag'],
    properties: {
      tag: { type: 'string' },
      labels: { type: 'array', items: { type: 'string' } },
      assets: { type: 'array', items: ITEM },
      author: {
        type: 'object',
        properties: { mail: { type: 'object', properties: { to: { type: 'string', format: 'email' } } } },
      },
    },
  },
};

for (const [size, viewport] of Object.entries(WINDOWS)) {
  test.describe(`on ${size}`, () => {
    test.use({ viewport });

    test('the files of a patch say what they add and cut, fold one by one, and open all at once', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      const asked = await place.ask({ title: 'May I change three files?', actions: [{ ...PATCH, caution: true }] });
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      const file = (name: RegExp) => inquiry.panel.getByRole('button', { name, expanded: true });
      const folded = inquiry.panel.getByRole('button', { expanded: false });
      await expect(file(/^src\/sign-in\.ts \+3 −2/)).toHaveCount(1);
      await expect(folded).toHaveText([/^src\/refresh\.ts\+1 −2/, /^src\/new\.ts, new file\+30 −0/]);
      await expect(inquiry.panel.getByText('new 30')).toBeHidden();
      await expect(inquiry.button('Approve after you have seen the end')).toBeDisabled();
      await press(folded.first(), file(/^src\/refresh\.ts/));
      await press(inquiry.quiet('Show all, go to the end'), file(/^src\/new\.ts/));
      await expect(inquiry.panel.getByText('new 30')).toBeAttached();
      await inquiry.readOn();
      await expect(inquiry.panel.getByRole('button', { name: /^src\/.* seen$/ })).toHaveCount(3);
      await inquiry.decide('Approve');
      expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
    });

    test('the next change of a long file is one press away, and so is the one before', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      const asked = await place.ask({
        title: 'May I change a file?',
        actions: [{ ...PATCH, diff: DIFF?.slice(0, 1) }],
      });
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      await inquiry.panel.getByRole('button', { name: '49 lines alike' }).click();
      const said = inquiry.panel.getByText(/^Change \d of \d$/);
      await expect(said).toHaveText('Change 1 of 2');
      const second = inquiry.panel.getByText('second', { exact: true });
      await press(inquiry.panel.getByRole('button', { name: 'Next change' }), said.filter({ hasText: '2 of 2' }));
      await expect(second).toBeInViewport({ ratio: 1 });
      expect(await second.evaluate(isOnTop)).toBe(true);
      // The jump came along.
      await press(inquiry.panel.getByRole('button', { name: 'Previous change' }), said.filter({ hasText: '1 of 2' }));
      const first = inquiry.panel.getByText('first change');
      await expect(first).toBeInViewport({ ratio: 1 });
      expect(await first.evaluate(isOnTop)).toBe(true);
    });

    test('a patch among the arguments says which files it deletes and moves, and is drawn line by line', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      const asked = await place.ask({ title: 'May I tidy up?', actions: [{ ...PATCH, diff: undefined, args: TIDY }] });
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      await expect(inquiry.panel.getByRole('row', { name: /Deletes the file src\/old\.ts/ })).toContainText(
        'Moves src/a.ts to src/b.ts',
      );
      await expect(inquiry.panel.getByRole('deletion').filter({ hasText: 'const port = 1;' })).toBeAttached();
      await expect(inquiry.panel.getByRole('insertion').filter({ hasText: 'const port = 2;' })).toBeAttached();
      // What comes late, such as a P.S., moves the call: then it is read on once more.
      await expect(async () => {
        if (await inquiry.verdict.isVisible()) return;
        await inquiry.readOn();
        await inquiry.button('Approve').click({ timeout: 2000 });
        await expect(inquiry.verdict).toBeVisible({ timeout: 3000 });
      }).toPass();
      expect((await place.read(asked)).resolution?.answer).toEqual({ decisions: [{ type: 'approve' }] });
    });

    test('nested arguments are edited in fields, taken away and added, and as JSON all the same', async ({
      place,
      openDevice,
    }) => {
      const inquiry = new InquiryPage(await openDevice('Phone', { viewport }));
      const { panel } = inquiry;
      const asked = await place.ask({ title: 'May I release?', actions: [RELEASE] });
      await inquiry.page.goto(`${place.origin}/i/${asked.id}`);
      await press(inquiry.quiet('Edit'), panel.getByRole('textbox', { name: 'tag' }));
      const group = (name: string) => panel.getByRole('group', { name, exact: true });
      await group('mail').getByRole('textbox', { name: /^to/ }).fill('nobody');
      await group('assets').getByRole('textbox', { name: 'name' }).fill('b.tgz');
      await inquiry.quiet('Add labels').click();
      await inquiry.quiet('Add a line: labels').click();
      await inquiry.quiet('Add a line: labels').click();
      await group('labels').getByRole('textbox', { name: '2' }).fill('stable');
      await inquiry.quiet('Remove line 1: labels').click();
      await inquiry.quiet('Add a line: assets').click();
      await inquiry.readOn('Approve with changes');
      const missing = group('assets').getByRole('textbox', { name: 'name' }).last();
      await inquiry.cannot('Approve with changes', 'Required', missing);
      await expect(missing).toBeInViewport();
      await missing.fill('c.tgz');
      const to = group('mail').getByRole('textbox', { name: /^to/ });
      await inquiry.cannot('Approve with changes', 'This address is not complete.', to);
      await expect(to).toBeInViewport();
      await to.fill('jonas@example.com');
      await inquiry.quiet('As JSON').click();
      const json = panel.getByRole('textbox', { name: /^The arguments, as JSON/ });
      await expect(json).toHaveValue(/"size": 12/);
      await inquiry.quiet('As a form').click();
      await inquiry.decide('Approve with changes');
      expect((await place.read(asked)).resolution?.answer).toEqual({
        decisions: [
          {
            type: 'edit',
            args: {
              tag: 'v2.4',
              assets: [{ name: 'b.tgz', size: 12 }, { name: 'c.tgz' }],
              author: { mail: { to: 'jonas@example.com' } },
              labels: ['stable'],
            },
          },
        ],
      });
    });
  });
}

const isOnTop = (element: Element): boolean => {
  const { left, top, bottom } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + 4, (top + bottom) / 2));
};
