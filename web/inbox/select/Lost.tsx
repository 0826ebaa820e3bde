import type { Resolution } from '#shared/answer.ts';
import { visible } from '#shared/visible.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Title } from '../../inquiry/view/Title.tsx';
import type { Outcome } from './decide.ts';
import type { Verdict } from './like.ts';
import { selectWords } from './words.ts';

/** Says which of the answers came second, and who was first. */
export function Lost({ outcome, verdict, onClose }: { outcome: Outcome; verdict: Verdict; onClose: () => void }) {
  const words = selectWords();
  const { won, queued, lost } = outcome;
  const title = [won > 0 ? words.done[verdict](won) : '', queued > 0 ? words.queued(queued) : '']
    .filter(Boolean)
    .join(' ');
  return (
    <Dialog title={title || words.lost(lost.length)} onClose={onClose} tall>
      {title !== '' && <p role="status">{words.lost(lost.length)}</p>}
      <ol>
        {lost.map(({ inquiry, resolution }) => (
          <li key={inquiry.id}>
            <div>
              <a class="link" href={`/i/${inquiry.id}`}>
                <Title inquiry={inquiry} />
              </a>
              <small>{resolution ? whoWas(resolution) : words.refused}</small>
            </div>
          </li>
        ))}
      </ol>
      <div class="bar-do">
        <Button onPress={onClose}>{words.ok}</Button>
      </div>
    </Dialog>
  );
}

function whoWas({ outcome, by }: Resolution): string {
  const words = selectWords();
  return by.kind === 'person' ? words.answeredBy(visible(by.handle), visible(by.device.name)) : words.resolved[outcome];
}
