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
  faults: { path: string; code: string; message: string }[];
}

/**
 * Asks with a framework's own JSON, and waits for its own reply. Aborting `signal` takes the question back, unless it has
 * an `idempotencyKey`. A text is sent as it is, any other body as JSON.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the form of a reply is its framework's own
export declare function ask<Reply = any>(dialect: string, body: unknown, options?: AskOptions): Promise<Reply>;

/** The same for a process that does not wait: store `ask` and call `reply` with it later. */
export declare function start(
  dialect: string,
  body: unknown,
  options?: AskOptions,
): Promise<{ ask: string; inquiries: string[] }>;

/** The reply to an ask that was started, once people have decided. */
// oxlint-disable-next-line typescript/no-explicit-any -- the form of a reply is its framework's own
export declare function reply<Reply = any>(ask: string, options?: HubOptions): Promise<Reply>;

/** Takes an ask back; one that is resolved already stays as it is. */
export declare function withdraw(ask: string, options?: HubOptions & { reason?: string | undefined }): Promise<void>;

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
