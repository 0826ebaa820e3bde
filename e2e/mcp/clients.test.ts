import { deepStrictEqual, match, strictEqual } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AnswerReply } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { must } from '../hub/call.ts';
import { type Hub, startHub } from '../hub/hub.ts';
import { openPage, type Page } from '../hub/page.ts';
import { addDevices, addSource, type Device, ownerDevice } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { connectClient, type Connected, type Line, LINES, wordsOf } from './clients.ts';
import { openSession, saidBy } from './wire.ts';

const KEEPS = { resetTimeoutOnProgress: true, onprogress: () => undefined };

describe('official clients on /mcp', { timeout: 240_000 }, () => {
  let hub: Hub;
  let pages: Page[];
  let owner: Device;
  let key: string;
  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Agent'));
    const [phone] = (await addDevices(hub, owner, 1)) as [Device];
    pages = await Promise.all([owner, phone].map((device) => openPage(hub, device, { reconnection: true })));
  });
  after(async () => {
    pages?.forEach((page) => page.close());
    await hub?.remove();
  });

  const connect = (line: Line): Promise<Connected> => connectClient(`${hub.url}/mcp`, key, line);
  const shownOn = (page: Page) => [
    ...page.of('inquiry').map(({ inquiry }) => inquiry),
    ...page.of('snapshot').flatMap(({ inquiries }) => inquiries),
  ];
  const everywhere = async (prompt: string): Promise<Inquiry> => {
    const found = await Promise.all(
      pages.map((page) =>
        until(`"${prompt}" on ${page.device.name}`, () => shownOn(page).find((inquiry) => inquiry.prompt === prompt)),
      ),
    );
    return found[0] as Inquiry;
  };
  const withdrawals = ({ id }: Inquiry) =>
    pages.map((page) => page.of('withdraw').find(({ inquiryId }) => inquiryId === id)?.resolution);
  const answer = ({ id }: Inquiry, text: string) =>
    must<AnswerReply>(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { text } });

  for (const line of LINES) {
    test(`[WDR1] an answer and a cancel take the question away from every device (${line})`, async () => {
      const agent = await connect(line);
      const asking = agent.call('send_inquiry', { prompt: `Ask, ${line}?` }, KEEPS);
      const answered = await everywhere(`Ask, ${line}?`);
      await answer(answered, 'yes');
      strictEqual(wordsOf(await asking), 'yes');
      const stop = new AbortController();
      const cancelling = agent.call('send_inquiry', { prompt: `Cancel, ${line}?` }, { ...KEEPS, signal: stop.signal });
      const ended = cancelling.then(
        () => 'answered',
        () => 'cancelled',
      );
      const cancelled = await everywhere(`Cancel, ${line}?`);
      stop.abort();
      strictEqual(await ended, 'cancelled');
      for (const [inquiry, outcome] of [
        [answered, 'answered'],
        [cancelled, 'withdrawn'],
      ] as const) {
        await until('the withdrawals', () => withdrawals(inquiry).every((resolution) => resolution));
        deepStrictEqual(
          withdrawals(inquiry).map((resolution) => resolution?.outcome),
          [outcome, outcome],
        );
      }
      await agent.close();
    });
  }

  test('[ASK5] over a restart of the hub nothing is withdrawn, and the id that each call was given finds its inquiry', async () => {
    const agents = await Promise.all(LINES.map(connect));
    const prompts = LINES.map((line) => `Restart, ${line}?`);
    const before = agents.map((agent, at) => agent.call('send_inquiry', { prompt: prompts[at] }, KEEPS));
    const inquiries = await Promise.all(prompts.map(everywhere));
    await hub.stop();
    const said = await Promise.all(before.map(async (calling) => wordsOf(await calling)));
    deepStrictEqual(
      said.map((words, at) => words.includes(inquiries[at]?.id ?? '-')),
      LINES.map(() => true),
    );
    await hub.start();
    await Promise.all(agents.map((agent) => agent.close().catch(() => {})));
    const anew = await Promise.all(LINES.map(connect));
    const again = anew.map((agent, at) => agent.call('get_answer', { inquiryId: inquiries[at]?.id }, KEEPS));
    await Promise.all(inquiries.map((inquiry) => answer(inquiry, `yes to ${inquiry.prompt}`)));
    deepStrictEqual(
      (await Promise.all(again)).map((result) => [result.structuredContent?.['inquiryId'], wordsOf(result)]),
      inquiries.map(({ id, prompt }) => [id, `yes to ${prompt}`]),
    );
    const read = ({ id }: Inquiry) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: owner.token });
    deepStrictEqual(
      (await Promise.all(inquiries.map(read))).map(({ resolution }) => resolution?.outcome),
      inquiries.map(() => 'answered'),
    );
    await Promise.all(anew.map((agent) => agent.close()));
  });

  test('[ASK1] [ASK5] over a power cut a client with a session goes on by itself, with its own question', async () => {
    const lines = LINES.filter((line) => line !== 'SDK 2, 2026-07-28');
    const agents = await Promise.all(lines.map(connect));
    const heard = lines.map(() => Promise.withResolvers<void>());
    const calls = agents.map((agent, at) =>
      agent.call(
        'send_inquiry',
        { prompt: `Cut, ${lines[at]}?` },
        { ...KEEPS, onprogress: () => heard[at]!.resolve() },
      ),
    );
    const inquiries = await Promise.all(lines.map((line) => everywhere(`Cut, ${line}?`)));
    // Without the name of its stream, which stands before its progress, a client has nothing to come back for.
    await Promise.all(heard.map(({ promise }) => promise));
    await hub.kill();
    await hub.start();
    await Promise.all(inquiries.map((inquiry) => answer(inquiry, `yes to ${inquiry.prompt}`)));
    deepStrictEqual(
      (await Promise.all(calls)).map((result) => [result.structuredContent?.['inquiryId'], wordsOf(result)]),
      inquiries.map(({ id, prompt }) => [id, `yes to ${prompt}`]),
    );
    // The session is whole: another call, and its end.
    const listed = await Promise.all(agents.map((agent) => agent.call('get_answer', { inquiryId: 'none' })));
    deepStrictEqual(
      listed.map(({ isError }) => isError),
      [true, true],
    );
    await Promise.all(agents.map((agent) => agent.close()));
  });

  test('[ASK1] [ASK5] over a power cut the inquiry stands, and an answer that came meanwhile waits for whoever names it', async () => {
    const session = await openSession(`${hub.url}/mcp`, key);
    const call = await session.call(`${hub.url}/mcp`, 'send_inquiry', { prompt: 'Power cut?' });
    const inquiry = await everywhere('Power cut?');
    await hub.kill();
    await call.done;
    await hub.start();
    await answer(inquiry, 'yes');
    const anew = await openSession(`${hub.url}/mcp`, key);
    strictEqual(await saidBy(await anew.call(`${hub.url}/mcp`, 'get_answer', { inquiryId: inquiry.id })), 'yes');
    // Yesterday's yes answers no new call.
    const fresh = await anew.call(`${hub.url}/mcp`, 'send_inquiry', { prompt: 'Power cut?' }, 2);
    const about = await until('the first frame', () => fresh.messages[0]?.params?.['meta'] as { inquiryId: string });
    match(about.inquiryId, /^inq_/);
    strictEqual(about.inquiryId === inquiry.id, false);
    fresh.cut();
  });
});
