import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import { idKey, type Id, type Message } from '../../mcp/messages.ts';
import { readQuestion } from './question.ts';
import type { Sessions } from './session.ts';

/**
 * Asks people, and waits until they decided, for as long as that takes. "gone": `signal` aborted, and the inquiry was taken
 * back for its reason. Throws where nobody can be asked. An approval that has ended reads as expired (APR1).
 */
export type AskPeople = (ask: Ask, signal: AbortSignal) => Promise<Inquiry | 'gone'>;

export type Asking = {
  ask: AskPeople;
  sessions: Sessions;
  /** People were first: the agent gets this result, and its editor may put its question away. */
  decided: (id: Id, result: object) => void;
  /** Tells whoever runs this. */
  say: (sentence: string) => void;
};

type Waiting = { sessionId?: string | undefined; controller: AbortController };

const LATE = 'The editor answered later than a person on a device, which was not passed on.';

/** The questions of an agent that wait for people and the editor at once. */
export function createAsking({ ask, sessions, decided, say }: Asking) {
  const waiting = new Map<string, Waiting>();
  /** What people answered first, until the editor has replied to it too. */
  const owed = new Set<string>();
  const working = new Set<Promise<void>>();

  const takeBack = (key: string, reason: string): void => {
    waiting.get(key)?.controller.abort(new Error(reason));
    waiting.delete(key);
  };
  async function answer(id: Id, own: Waiting, { method, text }: { method: string; text: string }): Promise<void> {
    const question = readQuestion(method, (parseExact(text) as Message).params, sessions);
    if (!question) return;
    own.sessionId = question.sessionId;
    const inquiry = await ask(question.ask, own.controller.signal);
    if (inquiry === 'gone' || waiting.get(idKey(id)) !== own) return;
    const result = inquiry.resolution && question.toResult(inquiry.resolution);
    if (result === undefined) return;
    waiting.delete(idKey(id));
    owed.add(idKey(id));
    decided(id, result);
  }
  return {
    /** Asks people too; `text` is the whole request. */
    begin(id: Id, method: string, text: string): void {
      const key = idKey(id);
      // Two questions under one id cannot be told apart: both are the editor's.
      if (waiting.has(key) || owed.has(key)) return takeBack(key, 'The agent used its id for another question.');
      const own: Waiting = { controller: new AbortController() };
      waiting.set(key, own);
      const task = answer(id, own, { method, text })
        .catch((error: Error) => say(`Only the editor asks: ${error.message}`))
        .finally(() => {
          if (waiting.get(key) === own) waiting.delete(key);
          working.delete(task);
        });
      working.add(task);
    },
    takeBack,
    /** The same of all questions of a session. */
    endSession(session: unknown, reason: string): void {
      for (const [key, { sessionId }] of waiting) if (sessionId === session) takeBack(key, reason);
    },
    /** The editor replied; true: it was the first, so that the agent gets its reply. */
    editorReplied({ id, result }: Message): boolean {
      takeBack(idKey(id), 'Answered in the editor.');
      if (!owed.delete(idKey(id))) return true;
      if (!JSON.stringify(result ?? 'cancelled').includes('cancel')) say(LATE);
      return false;
    },
    /** The agent has ended; resolves when the hub knows or does not reply. */
    async close(): Promise<void> {
      for (const key of waiting.keys()) takeBack(key, 'Its agent has ended.');
      await Promise.all(working);
    },
  };
}
