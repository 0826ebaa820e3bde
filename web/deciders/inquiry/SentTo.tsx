import '../deciders.css';
import { useSignal } from '@preact/signals';
import type { DeciderRun } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { readRuns } from './proposals.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Quiet, Button } from '../../ui/Button.tsx';
import { RunShown } from './RunShown.tsx';
import { proposalWords } from './words.ts';

/** The way to what deciders were sent about an inquiry, and what came back. */
export function SentTo({ inquiryId, onOpen }: { inquiryId: string; onOpen?: () => void }) {
  const t = proposalWords();
  const open = useSignal(false);
  const runs = useSignal<DeciderRun[] | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const show = async () => {
    open.value = true;
    onOpen?.();
    const reply = await readRuns(inquiryId);
    problem.value = reply.problem;
    runs.value = reply.ok?.items;
  };
  const close = () => (open.value = false);
  return (
    <>
      <Quiet onPress={() => void show()}>{t.sent}</Quiet>
      {open.value && (
        <Dialog title={t.sent} onClose={close}>
          <Refused problem={problem.value} />
          {!runs.value && !problem.value && <p class="dim">{t.reading}</p>}
          {runs.value?.length === 0 && <p class="dim">{t.noRuns}</p>}
          {runs.value?.map((run) => (
            <RunShown key={run.id} run={run} name={run.decider.name} />
          ))}
          <div class="bar-do">
            <Button look="line" onPress={close}>
              {t.close}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
