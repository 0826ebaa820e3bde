import { useState } from 'preact/hooks';
import { explain } from '../app/form/explain.ts';
import { say } from '../ui/language.ts';
import { clockTime } from '../ui/times.ts';
import { hubSays, sendTest } from './notifications.ts';
import { words } from './words.ts';

/** A press that sends a test, and what became of it: it arrived only when this device's worker said so to the hub. */
export function useSendTest(): { test: () => void; said: string | undefined } {
  const t = say(words);
  const [said, setSaid] = useState<string | undefined>();
  const run = async () => {
    setSaid(t.testing);
    const came = await sendTest();
    const { shownAt, trouble } = hubSays.value?.subscription ?? {};
    if (came === 'arrived') setSaid(t.arrived(clockTime(Date.parse(shownAt ?? ''))));
    else if (came === 'silent') setSaid(trouble ?? t.notArrived);
    else setSaid(explain(came));
  };
  return { test: () => void (said === t.testing || run()), said };
}
