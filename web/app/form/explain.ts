import { effect, signal } from '@preact/signals';
import type { Problem } from '#shared/problem.ts';
import { language } from '../../ui/language.ts';

const chinese = signal<Partial<Record<string, string>>>({});

// Read when the page is Chinese, not at the refusal: one of them says that the hub cannot be reached.
effect(() => {
  if (language.value !== 'zh') return;
  import('./refusals.ts').then(
    ({ refusals }) => (chinese.value = refusals),
    () => undefined,
  );
});

/** A refusal as one sentence that says what to do, in the language of the page where it is known. */
export function explain(problem: Problem): string {
  const own = language.value === 'zh' ? chinese.value[problem.code] : undefined;
  if (own && !own.endsWith('：')) return own;
  return `${own ?? ''}${inEnglish(problem)}`;
}

function inEnglish(problem: Problem): string {
  const faults = (problem.faults ?? []).map(({ path, message }) => (path ? `${path.slice(1)} ${message}` : message));
  // A detail that only sums its faults up would say everything twice.
  const sums = (problem.faults ?? []).every(({ message }) => problem.detail.includes(message));
  const said = faults.join('; ');
  return faults.length === 0 ? problem.detail : sums ? `${said}.` : `${problem.detail} ${said}.`;
}
