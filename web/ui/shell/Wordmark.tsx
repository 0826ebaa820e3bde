import { Mark } from '../Mark.tsx';

/** "Beckon," */
export function Wordmark({ href = '/' }: { href?: string }) {
  return (
    <a class="wordmark" href={href} aria-label="Beckon">
      Beckon
      <Mark name="comma" />
    </a>
  );
}
