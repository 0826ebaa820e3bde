import { useState } from 'preact/hooks';
import type { Check } from '#shared/connections/contact.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { call } from '../live/api.ts';
import { say } from '../ui/language.ts';
import { clockTime } from '../ui/times.ts';
import { contactWords } from './contacts/contactWords.ts';
import { words } from './words.ts';

/** A live check by the call at `path`, and what it found as one sentence. */
export function useCheck(path: string) {
  const t = say(words);
  const { troubles } = say(contactWords);
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState('');
  const run = async (body: object): Promise<Problem | undefined> => {
    if (busy) return undefined;
    setBusy(true);
    setFound(t.checking);
    const { ok, problem } = await call<Check>('POST', path, body);
    setBusy(false);
    setFound(ok ? t.checked(clockTime(Date.parse(ok.at)), troubles[ok.code] ?? visible(ok.detail)) : '');
    return problem;
  };
  return { busy, found, run };
}
