import type { AnswerBody } from '#shared/answer.ts';
import type { NotificationAction, PushMessage } from '#shared/push.ts';

export type Engine = 'chromium' | 'firefox' | 'webkit';

/** A notification of ours, as it is kept in its `data`. */
export type Card = {
  /** The inquiry's or notice's id, or the kind where there is only one. */
  tag: string;
  /** `over` is the silent note that stands where a question stood. */
  kind: 'ask' | 'over' | 'digest' | 'notice' | 'test' | 'changed';
  title: string;
  body: string;
  lang: 'en' | 'zh';
  silent: boolean;
  /** Where a tap on it goes. */
  path: string;
  shownAt: number;
  /** As many as the engine draws. */
  actions: NotificationAction[];
  reply?: { title: string; placeholder: string; digest: string };
};

/** What a page tells the worker: exactly what is open, and what it knows to be over. */
export type Told = { type: 'sync'; open: string[]; notices: string[]; settled: string[] } | { type: 'left' };

/** What the worker tells a page: go to a path, read what is new, or send an answer that the worker could not. */
export type PageTold = { type: 'open'; path: string } | { type: 'wake' } | { type: 'queued' };

/** A button or an inline reply, on its way to the hub. */
export type Pressed = { inquiryId: string; lang: 'en' | 'zh'; body: AnswerBody & { answerId: string } };

export type WorkerEvent =
  | Told
  /** `undefined`: nothing that can be read. */
  | { type: 'push'; message: PushMessage | undefined }
  | { type: 'click'; card: Card; action: string; reply?: string | undefined; answerId: string }
  | { type: 'closed'; card: Card }
  /** The hub's reply to a pressed answer; status 0: there was none. */
  | { type: 'replied'; pressed: Pressed; status: number; body: unknown }
  /** The time of a card is over that was to go by itself. */
  | { type: 'rested'; tag: string }
  /** The browser did not let the worker open the page that an answer needs. */
  | { type: 'shut'; path: string; lang: 'en' | 'zh' };

export type World = {
  now: number;
  engine: Engine;
  /** How many buttons the engine draws. */
  maxActions: number;
  lang: 'en' | 'zh';
  /** A page of ours can be seen. */
  visible: boolean;
  cards: readonly Card[];
  settled: ReadonlySet<string>;
  badge: number;
};

export type Operation =
  | { do: 'show'; card: Card }
  | { do: 'close'; tags: string[] }
  /** After the event is over: removed while it lasts, an engine takes the push for a silent one. */
  | { do: 'closeLater'; tag: string; ms: number }
  | { do: 'remember'; ids: string[] }
  | { do: 'badge'; count: number }
  /** The worker's own notes, or all that this origin keeps and its subscription. */
  | { do: 'forget'; what: 'notes' | 'everything' }
  /** With `unsent`, in its language: an answer hangs on it, which must not be lost without a word. */
  | { do: 'open'; path: string; unsent?: 'en' | 'zh' }
  | { do: 'wake' }
  | { do: 'report'; path: string; body: Record<string, string> }
  | { do: 'answer'; pressed: Pressed }
  /** Leaves an answer for the page to send. */
  | { do: 'queue'; pressed: Pressed };
