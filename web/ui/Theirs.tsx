import { breakable, type Piece, pieces } from './theirs.ts';

/** What an agent wrote, as text: characters that would turn it around are shown, Chinese breaks between words. */
export function Theirs({ text }: { text: string }) {
  return <>{pieces(text).map(show)}</>;
}

function show(piece: Piece, index: number) {
  if (typeof piece === 'object') {
    return (
      <span class="hidden-char" key={index}>
        {piece.hidden}
      </span>
    );
  }
  const words = breakable(piece);
  return words.length === 1 ? piece : words.map((word, at) => (at === 0 ? word : [<wbr key={at} />, word]));
}
