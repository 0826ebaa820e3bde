import { deepStrictEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { openSqlite, sqlitePath } from './open.ts';
import { MOVED } from './stepped.ts';

/** When something happened: nothing is to follow from these at a later instant. */
const STAY = [
  'aap_operations.created_at',
  'answers.at',
  'audit_entries.at',
  'audit_removals.at',
  'connection_contacts.at',
  'consumed_receipts.at',
  // An hour after the receipt has ended, which never moves.
  'consumed_receipts.forget_at',
  'connections.changed_at',
  'decider_runs.at',
  'deciders.changed_at',
  'delivery_attempts.at',
  'deliveries.created_at',
  'deliveries.tried_at',
  'devices.created_at',
  'devices.revoked_at',
  'drafts.at',
  'event_subscriptions.created_at',
  'gates.changed_at',
  'groups.created_at',
  'impatient_clients.gave_up_at',
  'inquiries.asker_gone_at',
  'inquiries.not_picked_up_at',
  'inquiries.opened_at',
  'inquiries.resolved_at',
  'notice_recipients.read_at',
  'notices.created_at',
  'passkey_codes.created_at',
  'passkey_scopes.made_at',
  'passkeys.created_at',
  'passkeys.used_at',
  'people.created_at',
  'policies.changed_at',
  'proposals.at',
  'push_attempts.at',
  'receipt_keys.made_at',
  'recipients.asked_at',
  'sources.created_at',
  'sources.gave_up_at',
  'sources.revoked_at',
  'sources.used_at',
  'sources.webhooks_paused_at',
  'subscriptions.created_at',
  'subscriptions.shown_at',
  'subscriptions.tested_at',
  'yolos.ended_at',
  'yolos.seen_at',
  'yolos.started_at',
  'inquiry_devices.accepted_at',
  'inquiry_devices.dismissed_at',
  'inquiry_devices.opened_at',
  'inquiry_devices.shown_at',
  'inquiry_devices.told_at',
  // Each node says anew within seconds that it is there.
  'nodes.seen_at',
];

test('of every stored instant it is decided whether it moves with the clock', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'beckon-instants-'));
  await (await openSqlite({ dataDir })).close();
  const database = new DatabaseSync(sqlitePath(dataDir));
  t.after(() => {
    database.close();
    rmSync(dataDir, { recursive: true });
  });
  const stored = database
    .prepare(
      `select m.name || '.' || c.name as name from sqlite_schema m join pragma_table_info(m.name) c
       where m.type = 'table' and m.name != 'migrations' and c.type = 'bigint' and (c.name glob '*_at' or c.name glob '*_until' or c.name in ('at', 'since'))`,
    )
    .all()
    .map((row) => String(row['name']));
  const moved = MOVED.flatMap(({ table, columns }) => columns.map((column) => `${table}.${column}`));
  deepStrictEqual([...moved, ...STAY].toSorted(), stored.toSorted());
});
