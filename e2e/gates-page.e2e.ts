import { fileURLToPath } from 'node:url';
import type { Gate } from '#shared/policies/gate.ts';
import { must } from './hub/call.ts';
import { Program } from './hub/process.ts';
import { freePort } from './hub/servers.ts';
import { until } from './hub/until.ts';
import { faultsOf } from './page/axe.ts';
import { goTo } from './page/sign-in.ts';
import { expect, test } from './page/scene.ts';

const EVERYTHING = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));
const SHOTS = process.env['GATE_SHOTS'];

test('the owner sets a gate up on the page, rules its tools, and removes it', async ({ place, openDevice }) => {
  const port = await freePort();
  const server = new Program([process.execPath, EVERYTHING, 'streamableHttp'], { ...process.env, PORT: `${port}` });
  await until('the everything-server', () => /listening/i.test(server.out + server.err));
  const gates = async () =>
    (await must<{ items: Gate[] }>(place.hub, 'GET /v1/gates', { token: place.mara.token })).items;
  try {
    const page = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
    await goTo(page, 'Connect');
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    const section = page.getByRole('region', { name: 'Gates' });
    await section.getByRole('button', { name: 'Add a gate' }).click();
    await section.getByLabel('Name (it stands in the address)').fill('Everything!');
    await section.getByLabel('Address of the MCP server').fill(`http://127.0.0.1:${port}/mcp`);
    await section.getByRole('button', { name: 'Make the gate' }).click();
    await expect(section.getByRole('alert')).toContainText('gate name');
    await section.getByLabel('Name (it stands in the address)').fill('everything');
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/gate-form.png`, fullPage: true });
    await section.getByRole('button', { name: 'Make the gate' }).click();

    await expect(section.getByText('No rules.')).toBeVisible();
    await section.getByRole('button', { name: 'Tools of everything' }).click();
    const tools = section.getByRole('list', { name: 'Tools of everything' });
    // A slow line: each choice is made before the one before it is saved.
    const line = Promise.withResolvers<void>();
    await page.route('**/v1/gates/everything', async (route) => {
      await line.promise;
      await route.continue();
    });
    await tools.getByLabel('What becomes of echo', { exact: true }).selectOption('passes');
    await tools.getByLabel('What becomes of get-env', { exact: true }).selectOption('asks');
    await tools.getByRole('group', { name: 'What a person may do with get-env' }).getByLabel('edit').uncheck();
    await section.getByLabel('Pattern, such as delete_*').fill('simulate-*');
    await section.getByLabel('What becomes of simulate-*').selectOption('is refused');
    await section.getByRole('button', { name: 'Add the rule' }).click();
    expect((await gates())[0]?.rules).toEqual([]);
    line.resolve();
    await expect
      .poll(async () => (await gates())[0]?.rules)
      .toEqual([
        { tool: 'get-env', does: 'ask', allowed: ['approve', 'reject', 'respond'] },
        { tool: 'echo', does: 'allow' },
        { tool: 'simulate-*', does: 'deny' },
      ]);
    await expect(section.getByText('3 rules.')).toBeVisible();
    await expect(tools.getByText('by the rule simulate-*').first()).toBeVisible();
    expect(await faultsOf(page)).toEqual([]);
    if (SHOTS) await page.screenshot({ path: `${SHOTS}/gate-tools.png`, fullPage: true });

    await section.getByRole('button', { name: 'Remove everything' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect(section.getByText('No gate yet.')).toBeVisible();
    expect(await gates()).toEqual([]);
  } finally {
    await server.end('SIGKILL');
  }
});

test('a gate whose server cannot be reached is made, and says so', async ({ place, openDevice }) => {
  const page = await openDevice('Laptop');
  await page.goto(`${place.origin}/sources`);
  const section = page.getByRole('region', { name: 'Gates' });
  await section.getByRole('button', { name: 'Add a gate' }).click();
  await section.getByLabel('Name (it stands in the address)').fill('nowhere');
  await section.getByLabel('Address of the MCP server').fill(`http://127.0.0.1:${await freePort()}/mcp`);
  await section.getByRole('button', { name: 'Make the gate' }).click();
  await expect(section.getByRole('listitem').filter({ hasText: 'nowhere' }).getByRole('status')).toHaveText(
    /^Saved\. The MCP server behind the gate "nowhere" did not say .+\.$/,
  );
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/gate-nowhere.png`, fullPage: true });
});
