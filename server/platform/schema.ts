import type { Generated } from 'kysely';

/** The tables as the migrations make them; `migrate.test.ts` compares both. Instants in ms, flags 0 or 1, JSON as text. */
export type Schema = {
  settings: SettingsTable;
  people: PeopleTable;
  groups: GroupsTable;
  group_members: GroupMembersTable;
  sources: SourcesTable;
  devices: DevicesTable;
  enrolments: EnrolmentsTable;
  inquiries: InquiriesTable;
  recipients: RecipientsTable;
  answers: AnswersTable;
  tellings: InquiryDevicesTable;
  drafts: DraftsTable;
  deliveries: DeliveriesTable;
  attempts: AttemptsTable;
  notices: NoticesTable;
  notice_recipients: NoticeRecipientsTable;
  subscriptions: SubscriptionsTable;
  pushes: PushesTable;
  push_attempts: PushAttemptsTable;
  nodes: NodesTable;
  gates: GatesTable;
  gate_continuations: GateContinuationsTable;
  gate_sessions: GateSessionsTable;
};

export type SettingsTable = {
  name: string;
  value: string;
};

export type PeopleTable = {
  id: string;
  handle: string;
  name: string;
  owner: Generated<number>;
  locale: string | null;
  privacy: Generated<string>;
  version: Generated<number>;
  created_at: number;
  preferences: string | null;
  made_by: string | null;
};

export type GroupsTable = {
  id: string;
  handle: string;
  name: string;
  created_at: number;
};

export type GroupMembersTable = {
  group_id: string;
  person_id: string;
};

export type SourcesTable = {
  id: string;
  owner_id: string;
  name: string;
  key_hash: string;
  may_ask: string;
  webhook_url: string | null;
  webhook_secret: string;
  locale: string | null;
  texts: string | null;
  created_at: number;
  used_at: number | null;
  revoked_at: number | null;
  made_by: string | null;
};

export type DevicesTable = {
  id: string;
  person_id: string;
  name: string;
  token_hash: string;
  user_agent: string;
  address: string;
  created_at: number;
  seen_at: number;
  expires_at: number;
  live_until: Generated<number>;
  revoked_at: number | null;
  made_by: string | null;
};

export type EnrolmentsTable = {
  id: string;
  person_id: string | null;
  kind: string;
  state: string;
  secret_hash: string | null;
  code: string | null;
  claim_hash: string | null;
  issuer_device_id: string | null;
  device_name: string;
  user_agent: string;
  address: string;
  tries: Generated<number>;
  created_at: number;
  expires_at: number;
};

export type InquiriesTable = {
  id: string;
  source_id: string;
  key: string | null;
  fingerprint: string | null;
  digest: string;
  asked: string;
  transport: string;
  asked_of: string;
  group_name: string | null;
  revision: Generated<number>;
  opened_at: number;
  deadline_at: number;
  latest_at: number;
  lease_until: number | null;
  reach_due_at: number | null;
  outcome: string | null;
  resolution: string | null;
  resolved_at: number | null;
  collected_at: number | null;
  late_count: Generated<number>;
  sealed: string | null;
};

export type RecipientsTable = {
  person_id: string;
  inquiry_id: string;
  open: Generated<number>;
};

export type AnswersTable = {
  inquiry_id: string;
  id: string;
  device_id: string;
  at: number;
  standing: string;
  answered_by: string;
  answer: string;
  words: string;
  reply: string;
};

export type InquiryDevicesTable = {
  inquiry_id: string;
  device_id: string;
  told_at: number | null;
  accepted_at: number | null;
  shown_at: number | null;
  opened_at: number | null;
  dismissed_at: number | null;
};

export type DraftsTable = {
  inquiry_id: string;
  person_id: string;
  device_id: string;
  answer: string;
  at: number;
};

export type DeliveriesTable = {
  id: string;
  source_id: string;
  inquiry_id: string;
  type: string;
  url: string;
  typed_by_owner: number;
  body: string;
  state: string;
  created_at: number;
  due_at: number | null;
  give_up_at: number;
  claimed_until: number | null;
  attempt_count: Generated<number>;
  queue: Generated<string>;
  slow: Generated<number>;
};

export type AttemptsTable = {
  delivery_id: string;
  number: number;
  at: number;
  status: number | null;
  error: string | null;
  ms: number;
};

export type NoticesTable = {
  id: string;
  source_id: string;
  key: string | null;
  title: string;
  content: string;
  created_at: number;
};

export type NoticeRecipientsTable = {
  person_id: string;
  notice_id: string;
  read_at: number | null;
};

export type SubscriptionsTable = {
  device_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  vapid_public_key: string;
  created_at: number;
  shown_at: number | null;
  trouble: string | null;
  weekly_test: Generated<number>;
  tested_at: number | null;
  claimed_until: number | null;
  host: Generated<string>;
};

export type PushesTable = {
  subject_id: string;
  device_id: string;
  wanted: string;
  sent: string | null;
  due_at: number | null;
  give_up_at: number;
  accepted_at: number | null;
  attempt_count: Generated<number>;
};

export type PushAttemptsTable = {
  subject_id: string;
  device_id: string;
  number: number;
  kind: string;
  at: number;
  status: number | null;
  error: string | null;
  ms: number;
};

export type NodesTable = {
  id: string;
  url: string;
  seen_at: number;
};

export type GatesTable = {
  name: string;
  config: string;
  sealed: string | null;
  changed_at: number;
  made_by: string | null;
};

export type GateContinuationsTable = {
  id: string;
  inquiry_id: string;
  args: string | null;
  expires_at: number;
};

export type GateSessionsTable = {
  id: string;
  source_id: string;
  seen_at: number;
};
