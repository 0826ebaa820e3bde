/** One underlined word in a row of a list; read aloud with what it is about. */
export function RowAct({ word, about, onPress }: { word: string; about: string; onPress: () => void }) {
  return (
    <button type="button" class="quiet" aria-label={about} onClick={onPress}>
      <span class="link">{word}</span>
    </button>
  );
}
