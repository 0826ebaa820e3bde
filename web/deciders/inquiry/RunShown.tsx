import type { Run } from '#shared/policies/decider.ts';
import { visible } from '#shared/visible.ts';
import { useFold } from '../../ui/Folded.tsx';
import { proposalWords } from './words.ts';

/** One time that a decider was asked: how long it took, what was sent, and what came back. */
export function RunShown({ run, name }: { run: Run; name: string }) {
  const t = proposalWords();
  const { ms, tokensIn, tokensOut, problem, sent, received } = run;
  return (
    <section class="run" aria-label={visible(name)}>
      <p>
        <b>{t.run(visible(name), ms)}</b>
        {tokensIn !== undefined && tokensOut !== undefined && <span class="dim"> {t.tokens(tokensIn, tokensOut)}</span>}
      </p>
      {problem && <p class="hint">{visible(problem)}</p>}
      <Said label={t.sentText} text={sent} />
      <Said label={t.received} text={received} />
    </section>
  );
}

/** All of it is there, and what is folded away says how much it is. */
function Said({ label, text }: { label: string; text: string }) {
  const { body, folded, bar } = useFold<HTMLPreElement>();
  return (
    <>
      <h3>{label}</h3>
      <pre ref={body} aria-label={label} class={folded ? 'is-folded' : undefined}>
        {visible(indented(text), true)}
      </pre>
      {bar}
    </>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
