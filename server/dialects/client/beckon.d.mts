export type HubOptions = {
  /** Address of the hub; `BECKON_URL` where it is left out. */
  url?: string | undefined;
  /** Key of the source, `bks_…`; `BECKON_KEY` where it is left out. */
  apiKey?: string | undefined;
  /** Ends the wait. The client installs no signal handlers: pass one that aborts on SIGTERM and Ctrl-C. */
  signal?: AbortSignal | undefined;
  /** So long the hub may be out of reach before a call throws; 5 minutes. */
  giveUpMs?: number | undefined;
};

export type AskOptions = HubOptions & {
  /**
   * The same key is the same question. A run that goes on in another process passes the one stored with its state, and the
   * question stays open for that process, whatever ends this one.
   */
  idempotencyKey?: string | undefined;
  /** Handles of people or groups. */
  to?: string[] | string | undefined;
  /** Seconds from now, or an instant. */
  deadline?: number | string | undefined;
  /** Seconds for which what is approved may be run; by default as the hub has it for this source. */
  validFor?: number | undefined;
  urgency?: 'low' | 'normal' | 'high' | undefined;
  privacy?: 'full' | 'title' | 'source' | 'nothing' | undefined;
  title?: string | undefined;
  agent?: string | undefined;
  language?: string | undefined;
  callback?: string | undefined;
  answer?: 'text' | 'confirm' | undefined;
};

export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  faults?: { path: string; code: string; message: string }[];
};

/** What the hub refused, or what it has in place of a reply: nobody answered, and the framework has no word for that. */
export declare class AskError extends Error {
  problem: Problem;
  status: number;
  code: string | undefined;
  /** How a question ended that has no answer. */
  outcome: 'answered' | 'declined' | 'expired' | 'withdrawn' | undefined;
  faults: { path: string; code: string; message: string }[];
}

export type Option = { value: string; label: string; description?: string | undefined };

export type Question = {
  id: string;
  prompt: string;
  header?: string | undefined;
  required?: boolean | undefined;
} & (
  | { type: 'text'; multiline?: boolean | undefined; secret?: boolean | undefined }
  | {
      type: 'choice' | 'multi';
      options: Option[];
      allowOther?: boolean | undefined;
      min?: number | undefined;
      max?: number | undefined;
    }
  | { type: 'form'; schema: Record<string, unknown> }
);

export type Action = {
  name: string;
  args: unknown;
  allowed: ('approve' | 'edit' | 'reject' | 'respond')[];
  description?: string | undefined;
  argsSchema?: Record<string, unknown> | undefined;
  caution?: boolean | undefined;
};

/** What is asked: a prompt, or one of questions, document, actions and link, or both. `/docs` of the hub has every member. */
export type Inquiry = {
  title?: string | undefined;
  prompt?: string | undefined;
  questions?: Question[] | undefined;
  document?: { markdown: string } | undefined;
  actions?: Action[] | undefined;
  link?: { url: string; completes: 'self' | 'external' } | undefined;
  [member: string]: unknown;
};

export type Decision =
  | { type: 'approve'; optionId?: string | undefined }
  | { type: 'edit'; args?: unknown; argsText?: string | undefined }
  | { type: 'reject'; message?: string | undefined; optionId?: string | undefined }
  | { type: 'respond'; message: string };

export type Answer = {
  text?: string | undefined;
  values?: Record<string, unknown> | undefined;
  other?: Record<string, string> | undefined;
  decisions?: Decision[] | undefined;
  markdown?: string | undefined;
};

/** The one final state of an inquiry. Only "answered" holds an answer; none of the others is ever a yes. */
export type Resolution = {
  outcome: 'answered' | 'declined' | 'expired' | 'withdrawn';
  at: string;
  /** The same in plain words. */
  text: string;
  answer?: Answer | undefined;
  message?: string | undefined;
  note?: string | undefined;
  by: { kind: 'person' | 'policy' | 'decider' | 'deadline' | 'source' } & Record<string, unknown>;
};

/** The dialects of this hub; what each takes and replies is its framework's own. */
export type Dialect =
  | 'ag-ui'
  | 'ai-sdk'
  | 'claude'
  | 'claude-hook'
  | 'codex-hook'
  | 'elicitation'
  | 'gemini-hook'
  | 'inquiry'
  | 'langgraph'
  | 'openai'
  | 'pydantic-ai';

/**
 * Asks with a framework's own JSON, and waits for its own reply. Aborting `signal` takes the question back, unless it has
 * an `idempotencyKey`. A text is sent as it is, any other body as JSON.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the form of a reply is its framework's own
export declare function ask<Reply = any>(dialect: Dialect, body: unknown, options?: AskOptions): Promise<Reply>;

/**
 * Asks people in plain words, and returns theirs. Throws `AskError` with `outcome` where nobody answered. A prompt of one
 * word in small letters is taken for a dialect's name beside anything but options.
 */
export declare function ask(prompt: string, options?: AskOptions): Promise<string>;

/** The same as the first, with a dialect of a newer hub. */
// oxlint-disable-next-line typescript/no-explicit-any -- the form of a reply is its framework's own
export declare function ask<Reply = any>(dialect: string, body: unknown, options: AskOptions): Promise<Reply>;

/** Asks with the hub's own form, and returns the resolution, whatever it is. */
export declare function inquire(inquiry: Inquiry, options?: AskOptions): Promise<Resolution>;

/** True where this very call was approved, false where it was rejected. Throws `AskError` where nobody decided. */
export declare function approve(
  name: string,
  args: unknown,
  options?: AskOptions & { description?: string | undefined; caution?: boolean | undefined },
): Promise<boolean>;

/** True for yes, false for no. Throws `AskError` where nobody decided. */
export declare function confirm(
  prompt: string,
  options?: AskOptions & { yes?: string | undefined; no?: string | undefined },
): Promise<boolean>;

/** The value of the option that was chosen. Throws `AskError` where nobody chose. */
export declare function choose<const Value extends string>(
  prompt: string,
  choices: readonly (Value | { value: Value; label: string; description?: string | undefined })[],
  options?: AskOptions,
): Promise<Value>;

/** The same for a process that does not wait: store `ask` and call `reply` with it later. */
export declare function start(
  dialect: string,
  body: unknown,
  options?: AskOptions,
): Promise<{ ask: string; inquiries: string[] }>;

/** The reply to an ask that was started, once people have decided. */
// oxlint-disable-next-line typescript/no-explicit-any -- the form of a reply is its framework's own
export declare function reply<Reply = any>(ask: string, options?: HubOptions): Promise<Reply>;

/** The time by the hub's clock, in ms, as its last reply told it that did not wait: this machine's may be wrong. */
export declare function hubTime(): number;

/** Takes an ask back; one that is resolved already stays as it is. */
export declare function withdraw(ask: string, options?: HubOptions & { reason?: string | undefined }): Promise<void>;

export type WebhookEvent = {
  type: 'inquiry.resolved' | 'inquiry.unreachable' | 'inquiry.late_answer' | (string & {});
  timestamp: string;
  data: Framed & { state: string; resolution?: Resolution | undefined; reply?: unknown } & Record<string, unknown>;
};

/**
 * The event of a webhook whose signature is the hub's and at most five minutes old; throws for anything else. `body` are its
 * bytes as they came, before they are parsed; `secret` is the source's `whsec_…`, or its public `whpk_…`. The same event may come twice, with the same
 * `webhook-id`. Browsers, and Node 20 or newer.
 */
export declare function verifyWebhook(
  body: string | ArrayBuffer | Uint8Array,
  headers: { get(name: string): string | null } | Record<string, string | string[] | undefined>,
  secret: string,
): Promise<WebhookEvent>;

/** What a frame tells of an inquiry; `GET /v1/inquiries/{id}` and the data of `/v1/inquiries/{id}/events` are such. */
export type Framed = {
  id: string;
  title: string;
  prompt?: string | undefined;
  openedAt: string;
  source: { name: string };
  context?: { agent?: string | undefined; runId?: string | undefined } | undefined;
  resolution?: { at: string } | undefined;
};

/**
 * An inquiry of this hub as a frame of a stream of chat completions: `data: {…}`, with the empty line after it. A platform
 * writes it into its own stream, where its front end finds the question to draw: in
 * `choices[0].delta.chatos_additional_data.mcp_progress_notification_data` as the JSON text of an MCP progress notification
 * whose `params.meta` is `{question, inquiryId, type: "INQUIRY"}`.
 */
export declare function progressFrame(inquiry: Framed): string;

/**
 * The frame that says that it is resolved, here or elsewhere, with type "INQUIRY_RESOLVED": the front end closes what it
 * drew.
 */
export declare function resolvedFrame(inquiry: Framed): string;
