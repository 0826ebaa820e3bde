import './policies.css';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { Saying } from './Saying.tsx';
import { ruleWords } from './words.ts';

/** The rule that settled an inquiry, as it was worded then. */
export function RuleThen({ inquiry: { rule, source } }: { inquiry: Inquiry }) {
  if (!rule || !('when' in rule && 'then' in rule)) return null;
  return (
    <p class="worded">
      {ruleWords().worded}
      <Saying ofOthers rule={rule as Rule} nameOf={(id) => (id === source.id ? source.name : id)} />
    </p>
  );
}
