import './policies.css';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { Saying } from './Saying.tsx';
import { ruleWords } from './words.ts';

/** The rule that settled an inquiry, as it was worded then. */
export function RuleThen({ inquiry: { rule, source, resolution } }: { inquiry: Inquiry }) {
  if (!rule || !('when' in rule && 'then' in rule)) return null;
  const by = resolution?.by;
  const nameOf = (id: string) =>
    id === source.id ? source.name : by?.kind === 'decider' && id === by.deciderId ? by.label : id;
  return (
    <p class="worded">
      {ruleWords().worded}
      <Saying ofOthers rule={rule as Rule & { timeZone?: string }} nameOf={nameOf} />
    </p>
  );
}
