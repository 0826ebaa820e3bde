import { CallCancelled } from '../hold.ts';
import { MOST_WAITING } from './limits.ts';

/** Why a question is taken back when its client did not come back for the answer. */
export class ClientGone extends CallCancelled {}

/** What upstreams of the older revisions ask and people have not answered yet, by place: a session, or one visit without. */
export type Asking = {
  /** A client is at this place until the result is called; the last one to leave takes the questions with it, after the grace. */
  enter(place: string, graceMs: number): () => void;
  /** Begins one question; "known" where it waits already, "full" above the limit. Its signal aborts when nobody wants the answer. */
  begin(place: string, id: string): { signal: AbortSignal; done: () => void } | 'known' | 'full';
  /** The upstream takes one back; false: it does not wait here. */
  takeBack(place: string, id: string, reason: string): boolean;
  /** The client ended its session. */
  end(place: string): void;
};

type Place = { present: number; waiting: Map<string, AbortController>; leaving: NodeJS.Timeout | undefined };

export function createAsking(): Asking {
  const places = new Map<string, Place>();
  const at = (name: string): Place => {
    const place = places.get(name) ?? { present: 0, waiting: new Map(), leaving: undefined };
    places.set(name, place);
    return place;
  };
  const tidy = (name: string, place: Place): void => {
    if (place.present > 0 || place.waiting.size > 0) return;
    clearTimeout(place.leaving);
    if (places.get(name) === place) places.delete(name);
  };
  const abortAll = ({ waiting }: Place, reason: CallCancelled): void => {
    for (const abort of waiting.values()) abort.abort(reason);
  };
  return {
    enter(name, graceMs) {
      const place = at(name);
      clearTimeout(place.leaving);
      place.present += 1;
      let here = true;
      return () => {
        if (!here) return;
        here = false;
        place.present -= 1;
        tidy(name, place);
        if (place.present > 0 || place.waiting.size === 0) return;
        place.leaving = setTimeout(() => abortAll(place, new ClientGone('Its client is gone.')), graceMs).unref();
      };
    },
    begin(name, id) {
      const place = at(name);
      if (place.waiting.has(id)) return 'known';
      if (place.waiting.size >= MOST_WAITING) return 'full';
      const abort = new AbortController();
      place.waiting.set(id, abort);
      const done = (): void => {
        place.waiting.delete(id);
        tidy(name, place);
      };
      return { signal: abort.signal, done };
    },
    takeBack(name, id, reason) {
      const abort = places.get(name)?.waiting.get(id);
      abort?.abort(new CallCancelled(reason));
      return abort !== undefined;
    },
    end(name) {
      const place = places.get(name);
      if (place) abortAll(place, new CallCancelled('Its session ended.'));
    },
  };
}
