import type { Generated } from 'kysely';

/** The tables that stand here, a part of `Schema`. */
export type OtherTables = PolicyTables & AgentTables & PasskeyTables & ProtocolTables;

/** The tables of protocols that others define. */
type ProtocolTables = {
  aap_instances: {
    source_id: string;
    provisioner_id: string;
    url: string | null;
    registration_id: string | null;
  };
  aap_operations: {
    provisioner_id: string;
    operation: string;
    key: string;
    digest: string;
    reply: string | null;
    claimed_until: number | null;
    created_at: number;
  };
};

/** The tables of rules, YOLO and deciders. */
type PolicyTables = {
  policies: {
    id: string;
    person_id: string | null;
    version: number;
    rules: string;
    changed_at: number;
    made_by: string | null;
  };
  yolos: {
    id: string;
    person_id: string;
    choices: string;
    started_at: number;
    until_at: number;
    made_by: string;
    ended_at: number | null;
    stopped_by: string | null;
    seen_at: number | null;
    settled_count: Generated<number>;
  };
  deciders: {
    id: string;
    name: string;
    config: string;
    sealed: string | null;
    changed_at: number;
    made_by: string | null;
  };
  proposals: {
    id: string;
    inquiry_id: string;
    decider_id: string;
    decider_name: string;
    why: string;
    state: string;
    at: number;
    answer: string | null;
    /** When it counts; null: it only suggests. */
    decides_at: number | null;
    /** The device on which somebody asked for it. */
    asked_by: string | null;
    problem: string | null;
    /** When something is to be done with it: it is asked, taken up again, or decides; null: nothing. */
    due_at: number | null;
    /** Until when an answer is waited for; null: not taken up yet, and nobody waits for it. */
    gives_up_at: number | null;
    /** The rule that asked it, as JSON, while nobody was woken. */
    rule: string | null;
  };
  decider_runs: {
    id: string;
    inquiry_id: string;
    decider_id: string;
    decider_name: string;
    why: string;
    at: number;
    sent: string;
    received: string;
    answer: string | null;
    problem: string | null;
    ms: number;
    tokens_in: number | null;
    tokens_out: number | null;
  };
};

/** The tables of gates, of sessions over MCP and of connections. */
type AgentTables = {
  gates: {
    name: string;
    config: string;
    sealed: string | null;
    changed_at: number;
    made_by: string | null;
  };
  gate_continuations: {
    id: string;
    inquiry_id: string;
    args: string | null;
    expires_at: number;
  };
  gate_sessions: {
    id: string;
    source_id: string;
    seen_at: number;
    client: string | null;
  };
  impatient_clients: {
    source_id: string;
    client: string;
    gave_up_ms: number;
    gave_up_at: number;
  };
  mcp_sessions: {
    id: string;
    owner: string;
    node: string;
    initialize: string;
    seen_at: number;
  };
  mcp_calls: {
    stream: string;
    session: string;
    message: string;
    ordinal: number;
  };
  connections: {
    source_id: string;
    kind: string;
    config: string;
    answer: string | null;
    sealed: string | null;
    token_hash: string;
    changed_at: number;
    /** When the threads of its LangGraph Server are looked for next. */
    look_at: number | null;
  };
  receipt_keys: {
    kid: string;
    alg: string;
    number: number;
    public: string;
    sealed: string | null;
    made_at: number;
    used_from: number;
  };
  consumed_receipts: {
    receipt: string;
    call: number;
    at: number;
    forget_at: number;
  };
  audit_entries: {
    number: number;
    at: number;
    through: number;
    entry: string;
  };
  audit_removals: {
    kind: string;
    id: string;
    at: number;
  };
  event_subscriptions: {
    id: string;
    source_id: string;
    name: string;
    inquiry_id: string | null;
    url: string;
    secret: string;
    old_secret: string | null;
    old_until: number | null;
    created_at: number;
    expires_at: number;
  };
  connection_contacts: {
    id: string;
    source_id: string;
    at: number;
    what: string;
    status: number | null;
    ms: number;
    problem: string | null;
    inquiries: string;
  };
};

/** The tables of passkeys. */
type PasskeyTables = {
  passkeys: {
    id: string;
    person_id: string;
    credential_id: string;
    public_key: string;
    counter: number;
    transports: string;
    device_type: string;
    backed_up: number;
    rp_id: string;
    name: string;
    created_at: number;
    used_at: number | null;
    /** When the owner's removal takes effect. */
    removal_at: number | null;
  };
  passkey_challenges: {
    id: string;
    person_id: string;
    device_id: string;
    bound: string;
    expires_at: number;
  };
  passkey_codes: {
    code_hash: string;
    person_id: string;
    created_at: number;
  };
  passkey_scopes: {
    scope: string;
    made_at: number;
    made_by: string | null;
  };
};
