import { useSignal } from '@preact/signals';
import { copyText } from '../../app/browser/copy.ts';
import { IconButton } from '../../ui/Button.tsx';
import { dialogWords } from '../words.ts';

/** Copies a text exactly as the hub holds it, and says so. */
export function CopyButton({ text }: { text: string }) {
  const words = dialogWords();
  const copied = useSignal(false);
  const copy = async () => {
    copied.value = await copyText(text);
    setTimeout(() => (copied.value = false), 2000);
  };
  return (
    <>
      <span class="sr" role="status">
        {copied.value ? words.call.copied : ''}
      </span>
      <IconButton name={copied.value ? 'check' : 'copy'} label={words.call.copy} onPress={() => void copy()} />
    </>
  );
}
