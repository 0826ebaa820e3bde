import type { Generated } from 'kysely';
import type { OtherTables } from './tables.ts';

/** The tables as the migrations make them; `migrate.test.ts` compares both. Instants in ms, flags 0 or 1, JSON as text. */
export type Schema = OtherTables & {
  settings: {
    name: string;
    value: string;
  };
  people: {
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
    jwt_issuer: string | null;
    jwt_subject: string | null;
  };
  groups: {
    id: string;
    handle: string;
    name: string;
    created_at: number;
  };
  group_members: {
    group_id: string;
    person_id: string;
  };
  sources: {
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
    decider: string | null;
    gave_up_count: Generated<number>;
    gave_up_ms: number | null;
    gave_up_of_ms: number | null;
    gave_up_at: number | null;
    may_ask_yolo: Generated<number>;
    webhooks_paused_at: number | null;
    valid_for: number | null;
    escalate: string | null;
    approvals: number | null;
    issuer: string | null;
    may_provision: Generated<number>;
    subscribed: Generated<number>;
  };
  devices: {
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
  enrolments: {
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
    host: string | null;
    polled_at: number | null;
    pace: number | null;
  };
  inquiries: {
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
    ask_id: string | null;
    kept: string | null;
    about: string | null;
    rule: string | null;
    run: string | null;
    asker_gone_at: number | null;
    awaited: Generated<number>;
    pickup_due_at: number | null;
    not_picked_up_at: number | null;
    people: string | null;
    trace: string | null;
    escalate_at: number | null;
    escalated: string | null;
    /** Who has approved it so far, and what, where several people have to. */
    approved: string | null;
  };
  recipients: {
    person_id: string;
    inquiry_id: string;
    open: Generated<number>;
    /** When it rings again for this person; null: not any more. */
    remind_at: number | null;
    /** 1: this person set it apart until then. */
    later: Generated<number>;
    /** When an escalation asked them; null: they were asked first. */
    asked_at: number | null;
  };
  answers: {
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
  inquiry_devices: {
    inquiry_id: string;
    device_id: string;
    told_at: number | null;
    accepted_at: number | null;
    shown_at: number | null;
    opened_at: number | null;
    dismissed_at: number | null;
  };
  drafts: {
    inquiry_id: string;
    person_id: string;
    device_id: string;
    answer: string;
    at: number;
  };
  deliveries: {
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
    queued: Generated<number>;
    tried_at: number | null;
    /** Whose events these are where they are not the hub's own webhooks. */
    protocol: string | null;
    subscription_id: string | null;
  };
  delivery_queues: {
    queue: string;
    source_id: string;
    due_at: number;
    slow: Generated<number>;
    rest_until: number | null;
  };
  delivery_attempts: {
    delivery_id: string;
    number: number;
    at: number;
    status: number | null;
    error: string | null;
    ms: number;
  };
  failing_endpoints: {
    queue: string;
    source_id: string;
    since: number;
    worked_at: number | null;
    notice_id: string | null;
  };
  notices: {
    id: string;
    source_id: string;
    key: string | null;
    title: string;
    content: string;
    created_at: number;
  };
  notice_recipients: {
    person_id: string;
    notice_id: string;
    read_at: number | null;
  };
  subscriptions: {
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
    due_at: number | null;
    rest_until: number | null;
  };
  pushes: {
    subject_id: string;
    device_id: string;
    wanted: string;
    sent: string | null;
    due_at: number | null;
    give_up_at: number;
    accepted_at: number | null;
    attempt_count: Generated<number>;
    known_due_at: number | null;
  };
  push_attempts: {
    subject_id: string;
    device_id: string;
    number: number;
    kind: string;
    at: number;
    status: number | null;
    error: string | null;
    ms: number;
  };
  nodes: {
    id: string;
    url: string;
    seen_at: number;
  };
};
