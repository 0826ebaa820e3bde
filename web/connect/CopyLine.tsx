import { useState } from 'preact/hooks';
import { copyText } from '../app/browser/copy.ts';
import { say } from '../ui/language.ts';
import { IconButton } from '../ui/Button.tsx';
import { words } from './words.ts';

/** What a machine will read, shown whole, with a button that copies it. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  const t = say(words);
  const [copied, setCopied] = useState<boolean | undefined>();
  return (
    <>
      <div class="copyline">
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
        <IconButton
          name={copied ? 'check' : 'copy'}
          label={label}
          onPress={() => void copyText(text).then(setCopied)}
        />
      </div>
      <p class="sr" role="status">
        {copied === undefined ? '' : copied ? t.copied : t.notCopied}
      </p>
    </>
  );
}
