import { useState } from 'preact/hooks';
import { written } from '#shared/policies/alike.ts';
import type { Near } from '#shared/policies/preview.ts';
import { visible } from '#shared/visible.ts';
import { Button, Quiet } from '../../ui/Button.tsx';
import { checkWords } from './words.ts';

/** Calls that were approved and that the rule nearly fits, with what would cover them: exactly what is shown. */
export function NearOffer({
  near: { ids, shell, alike },
  looked,
  onUse,
}: {
  near: Near;
  looked: number;
  onUse: () => void;
}) {
  const t = checkWords();
  const [open, setOpen] = useState(false);
  const option = alike.words[alike.at - 1] ?? '';
  return (
    <div class="offer">
      <p>
        <b>{t.differOnly(ids.length, looked, option.startsWith('-') ? visible(option) : undefined)}</b>
      </p>
      <p>{t.coversThem(ids.length)}</p>
      <p>
        <Pattern of={written(alike)} />
      </p>
      {open && (
        <ul>
          {shell.map((text) => (
            <li key={text}>
              <code>{visible(text)}</code>
            </li>
          ))}
        </ul>
      )}
      <div class="acts">
        <Button look="line" onPress={onUse}>
          {t.useThis}
        </Button>
        {!open && <Quiet onPress={() => setOpen(true)}>{t.showThe(shell.length)}</Quiet>}
      </div>
    </div>
  );
}

/** Commands that differ in one word, with that word marked. */
export function Pattern({ of: { before, varies, after } }: { of: ReturnType<typeof written> }) {
  return (
    <code>
      {visible(before)}
      <span class="vary">{visible(varies)}</span>
      {visible(after)}
    </code>
  );
}
