import { deepStrictEqual } from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { pino } from 'pino';
import { createDispatcher } from '../deliveries/dispatch.ts';
import { DIALECTS } from '../dialects/all/dialects.ts';
import { withdrawAbout } from '../dialects/withdraw.ts';
import { lookAtLate, nextDue } from '../deliveries/push/due.ts';
import { claimDevice, takeNext } from '../deliveries/push/take.ts';
import { sweepPushes } from '../deliveries/push/upkeep.ts';
import { readDeliveryPage } from '../deliveries/read.ts';
import { sweepAttempts } from '../deliveries/settle.ts';
import { putSubscription } from '../devices/subscription/store.ts';
import { answerInquiry } from '../inquiries/answer.ts';
import { ask } from '../inquiries/ask.ts';
import { forgetResolved, sweep } from '../inquiries/expire.ts';
import { readContext, readSources } from '../reports/history/context.ts';
import { readHistory } from '../reports/history/read.ts';
import { listForSource, readForSource, readSnapshot } from '../inquiries/read.ts';
import { openPlace } from '../inquiries/testing/place.ts';
import { askOfSource } from '../inquiries/store.ts';
import { withdrawInquiry } from '../inquiries/withdraw.ts';
import { tellFailing } from '../notices/failing.ts';
import { forgetNotices } from '../notices/store.ts';

/** A plan reads these as a whole: they grow with people and devices, or hold what is open, due and owed. */
const SMALL =
  /^SCAN (\d* ?CONSTANT ROWS?|sources|people|devices|subscriptions|enrolments|json_each|marks|found|hosts|firsts|one|newest)\b/;
const LIVE =
  /^SCAN \w+ USING (COVERING )?INDEX (inquiries_(open|lease|reach|sealed)|pushes_(due|device|new)|deliveries_(due|queue|new)|failing_endpoints_worked)\b/;
/** All that one source or person ever had, or all that was tried of one delivery. */
const ALL_OF_ONE =
  /(INDEX (inquiries_source|deliveries_source|recipients_person)|delivery_attempts USING PRIMARY KEY) \(\w+=\?\)/;

test('no statement of a cycle or a sweep reads through what is resolved, sent or forgotten', async (t) => {
  const { place, close } = await openPlace();
  const { inquiries, database, sourceId, phone } = place;
  t.after(close);
  const ran = new Map<string, DatabaseSync>();
  const { prepare } = DatabaseSync.prototype;
  t.mock.method(DatabaseSync.prototype, 'prepare', function (this: DatabaseSync, sql: string) {
    ran.set(sql, this);
    return prepare.call(this, sql);
  });

  const asked = { title: 'Ship it?', prompt: 'Now?', callback: { url: 'https://hooks.example/beckon' } };
  const subscription = { endpoint: 'https://push.example/1', keys: { p256dh: '', auth: '' }, vapidPublicKey: '' };
  await putSubscription(database, phone.deviceId, subscription);
  const waited = await ask(inquiries, { sourceId, ask: asked, waitMs: 9_000, matchedBy: 'the same call' });
  await answerInquiry(inquiries, phone, waited.inquiryId, { answerId: 'a', text: 'Yes' });
  const withdrawn = await place.ask({ ...asked, key: 'k' });
  await place.ask({ prompt: 'Left open' });
  await withdrawInquiry(inquiries, sourceId, withdrawn);
  await readForSource(inquiries, waited.inquiryId, sourceId);
  await readSnapshot(inquiries, phone);
  await listForSource(database.read, sourceId, { state: 'open', limit: 10 });
  await readContext(database, waited.inquiryId, { id: phone.personId });
  await readSources(database.read, phone.personId);
  await readHistory(database.read, phone, { q: 'ship', limit: 10 });
  const about = { session: 's', call: 'c' };
  await withdrawAbout(inquiries, { dialect: DIALECTS[0]!, sourceId, about, reason: 'decided elsewhere' });
  await database.rows(askOfSource(sourceId, waited.inquiryId, 'ask_none'));
  inquiries.collected.add(waited.inquiryId);
  await inquiries.collected.stop();

  const now = database.clock.now() + 5_000;
  const post = async () => ({ error: 'timeout', ms: 10_000 });
  const dispatcher = createDispatcher({ database, log: pino({ level: 'silent' }), post });
  await dispatcher.runDue();
  await dispatcher.stop();
  await tellFailing({ database, announce: { toPerson: () => undefined }, wakePushes: () => undefined }, () => '');
  await readDeliveryPage(database.read, { viewer: { sourceId }, limit: 10, cursor: 'dlv_z' });
  const clock = { now: () => now };
  const queue = await claimDevice(database, { clock, slow: false, busy: { keys: ['k'], groups: ['g'] } });
  await takeNext(database, queue!, clock);
  await nextDue(database, now);
  await sweep(inquiries);
  await sweepAttempts(database);
  await sweepPushes(database);
  await lookAtLate(database, now);
  await forgetNotices(database, 9);
  await forgetResolved(database, -1);

  const through: string[] = [];
  for (const [sql, file] of ran) {
    if (!/^\s*(select|insert|update|delete|with)/i.test(sql)) continue;
    for (const row of prepare.call(file, `explain query plan ${sql}`).all()) {
      const step = String(row['detail']);
      const scans = step.startsWith('SCAN') && !SMALL.test(step) && !LIVE.test(step);
      if (scans || ALL_OF_ONE.test(step)) through.push(`${step}: ${sql}`);
    }
  }
  deepStrictEqual([through, ran.size > 60], [[], true]);
});
