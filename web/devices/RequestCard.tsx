import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { HubIcon } from '../app/HubIcon.tsx';
import { serverNow } from '../ui/clock.ts';
import { say } from '../ui/language.ts';
import { clockTime } from '../ui/times.ts';
import { words } from './words.ts';

/** A tap meant for what lay underneath must not let anybody in. */
const INERT_MS = 350;

/** What is asked of this person beside questions, as a card over the page. */
export function Card({
  title,
  expiresAt,
  children,
}: {
  title: string;
  expiresAt: string;
  children: ComponentChildren;
}) {
  const t = say(words);
  const heading = useId();
  return (
    <section class="panel" role="dialog" aria-modal="false" aria-labelledby={heading}>
      <header class="inquiry-head">
        <p class="from">Beckon</p>
        <p class="where">{t.hubBy(clockTime(Date.parse(expiresAt)))}</p>
        <HubIcon />
      </header>
      <div class="note">
        <h2 class="ask" id={heading}>
          {title}
        </h2>
      </div>
      <div class="reply">{children}</div>
    </section>
  );
}

/** Runs one act at a time, not in the first moment, and removes the card when its time is up. */
export function useAct(
  { enrolmentId, expiresAt }: { enrolmentId: string; expiresAt: string },
  expire: (enrolmentId: string) => void,
) {
  const [problem, setProblem] = useState<Problem | undefined>();
  const [since] = useState(() => Date.now());
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => expire(enrolmentId), Math.max(0, Date.parse(expiresAt) - serverNow()));
    return () => clearTimeout(timer);
  }, [enrolmentId, expiresAt]);
  const act = (run: () => Promise<{ problem?: Problem }>) => {
    if (busy || Date.now() - since < INERT_MS) return;
    setBusy(true);
    void run().then((reply) => {
      setBusy(false);
      setProblem(reply.problem);
    });
  };
  return { act, problem };
}
