import { Quiet } from '../../ui/Button.tsx';
import { visible } from '#shared/visible.ts';
import { dialogWords } from '../words.ts';

type SuggestionProps = { source: string; present: boolean; own: boolean; onBack: () => void };

/** Whose words or picks stand there, and the way back to the suggestion. */
export function Suggestion({ source, present, own, onBack }: SuggestionProps) {
  const words = dialogWords();
  if (!present) return null;
  return (
    <div class="label">
      <span>{own ? words.yourWords : words.suggestedBy(visible(source))}</span>
      {own && <Quiet onPress={onBack}>{words.bringBack}</Quiet>}
    </div>
  );
}
