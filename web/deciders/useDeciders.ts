import { useEffect, useState } from 'preact/hooks';
import type { Decider, DeciderName } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { call } from '../live/api.ts';

/** As the owner reads it, or as everybody else does. */
export type Known = DeciderName & Partial<Decider>;

/** The deciders of this hub, once they are read; only the owner reads all of each. */
export function useDeciders() {
  const [items, setItems] = useState<Known[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const reply = await call<{ items: Known[] }>('GET', '/v1/deciders');
    setProblem(reply.problem);
    if (reply.ok) setItems(reply.ok.items);
  };
  useEffect(() => void read(), []);
  return { items, problem, read };
}
