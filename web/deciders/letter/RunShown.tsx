import type { Run } from '#shared/policies/decider.ts';
import { visible } from '#shared/visible.ts';
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
      <h3>{t.sentText}</h3>
      <pre tabIndex={0} aria-label={t.sentText}>
        {visible(indented(sent), true)}
      </pre>
      <h3>{t.received}</h3>
      <pre tabIndex={0} aria-label={t.received}>
        {visible(indented(received), true)}
      </pre>
    </section>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
