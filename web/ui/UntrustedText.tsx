import { type Piece, pieces } from '#shared/visible.ts';
import { breakable } from './line-breaks.ts';

/**
 * What an agent wrote, as text: characters that cannot be seen are shown, Chinese breaks between words.
 * `exact`: a name, code or an argument, in which nothing at all may hide.
 */
export function UntrustedText({ text, exact = false }: { text: string; exact?: boolean }) {
  return <>{written(text, exact)}</>;
}

/** As `UntrustedText`, where there are too many texts for an element each. */
export function written(text: string, exact: boolean) {
  const shown = pieces(text, exact).map(show);
  return shown.length === 1 ? shown[0] : shown;
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

/** One line that an agent wrote, with `code` between backticks set as code. */
export function Inline({ text }: { text: string }) {
  const parts = text.split(/`([^`]+)`/);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 1 ? (
          <code key={at}>
            <UntrustedText exact text={part} />
          </code>
        ) : (
          <UntrustedText key={at} text={part} />
        ),
      )}
    </>
  );
}
