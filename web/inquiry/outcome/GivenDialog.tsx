import { useMemo } from 'preact/hooks';
import { type Given, entries } from '../../live/inquiries.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { say } from '../../ui/language.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { Title } from '../view/Title.tsx';
import { looking } from './run.ts';
import { sayDecided } from './UndoBar.tsx';

const words = { en: { close: 'Close' }, zh: { close: '关闭' } };

/** What was answered together, each a link to what became of it; it stays when the time to undo is over. */
export function GivenDialog({ given }: { given: Given }) {
  // Once the hub has them all, the page forgets them.
  const inquiries = useMemo(
    () => given.inquiryIds.flatMap((id) => entries.peek().filter(({ inquiry }) => inquiry.id === id)),
    [],
  ).map(({ inquiry }) => inquiry);
  const close = () => (looking.value = undefined);
  return (
    <Dialog title={sayDecided(given)} onClose={close} tall>
      <ol>
        {inquiries.map((inquiry) => (
          <li key={inquiry.id}>
            <div>
              <a class="link" href={`/i/${inquiry.id}`} onClick={close}>
                <Title inquiry={inquiry} />
              </a>
              <small>
                <UntrustedText text={inquiry.source.name} />
              </small>
            </div>
          </li>
        ))}
      </ol>
      <div class="bar-do">
        <Button look="line" onPress={close}>
          {say(words).close}
        </Button>
      </div>
    </Dialog>
  );
}
