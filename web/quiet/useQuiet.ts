import { useRef, useState } from 'preact/hooks';
import type { Quiet } from '#shared/policies/quiet.ts';
import type { ChangePreferences } from '#shared/preferences.ts';
import type { Problem } from '#shared/problem.ts';
import { changeMe, me } from '../live/session.ts';

type Make = (before: Quiet | undefined) => ChangePreferences;

type Read = {
  quiet: Quiet | undefined;
  change: (make: Make) => void;
  turn: (on: boolean) => void;
  problem: Problem | undefined;
};

/** The quiet hours as they will be once every change is saved. */
export function useQuiet(): Read {
  const [problem, setProblem] = useState<Problem | undefined>();
  const [wanted, setWanted] = useState<{ quiet: Quiet | undefined } | undefined>();
  const last = useRef(Promise.resolve());
  const unsaved = useRef(0);
  const saved = me.value?.preferences.quiet;
  // One after the other, each on what the one before made of it.
  const change = (make: Make) => {
    unsaved.current++;
    setWanted((shown) => {
      const before = shown ? shown.quiet : me.peek()?.preferences.quiet;
      const { quiet = before } = make(before);
      return { quiet: quiet ?? undefined };
    });
    last.current = last.current.then(async () => {
      const preferences = make(me.peek()?.preferences.quiet);
      setProblem(await changeMe({ preferences }));
      if (--unsaved.current === 0) setWanted(undefined);
    });
  };
  const turn = (on: boolean) =>
    change((before) => {
      if (!before) return {};
      const { off: _off, ...rest } = before;
      return { quiet: on ? rest : { ...rest, off: true } };
    });
  return { turn, quiet: wanted ? wanted.quiet : saved, change, problem };
}
