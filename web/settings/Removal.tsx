import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { words } from './words.ts';

type RemovalProps = {
  title: string;
  explanation: string;
  path: string;
  onClose: () => void;
  onRemoved: (reply: unknown) => void;
};

/** Asks once more, then removes what stands at `path`. */
export function Removal({ title, explanation, path, onClose, onRemoved }: RemovalProps) {
  const t = say(words);
  const [problem, setProblem] = useState<Problem | undefined>();
  const remove = async () => {
    const reply = await call('DELETE', path);
    if (reply.problem && reply.problem.status !== 404) return setProblem(reply.problem);
    onClose();
    onRemoved(reply.ok);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="dim">{explanation}</p>
      <Refused problem={problem} />
      <div class="bar-do">
        <Button look="line" onPress={onClose}>
          {t.keepIt}
        </Button>
        <Button onPress={() => void remove()}>{t.remove}</Button>
      </div>
    </Dialog>
  );
}
