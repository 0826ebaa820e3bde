import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '#shared/policies/rule.ts';
import { coveredBy } from './covered.ts';

const always: Rule = { name: 'always', when: { source: 'src_1', tool: 'Bash' }, then: 'approve' };
const [now, sooner, later] = [Date.parse('2027-01-01'), '2027-01-02T00:00:00Z', '2027-01-03T00:00:00Z'];

test('[POL1] a rule never takes effect behind one that fits all it fits, asks, and lasts as long', () => {
  const covers = (first: Partial<Rule>, behind: Partial<Rule> = {}) =>
    coveredBy(
      [
        { name: 'first', when: {}, then: 'ask', ...first },
        { ...always, ...behind },
      ],
      1,
      now,
    ) === 'first';
  deepStrictEqual(
    [
      covers({}),
      covers({ when: { source: 'src_1' } }),
      covers({ then: 'ask-quietly', until: later }, { until: sooner }),
      covers({ then: { ask: ['ops'] } }),
      covers({ when: { source: 'src_2' } }),
      covers({ when: { source: 'src_1', run: '7' } }),
      covers({ then: 'approve' }),
      covers({ until: sooner }, { until: later }),
      covers({ until: sooner }),
      covers({ until: '2026-12-31T00:00:00Z' }, { until: '2026-12-30T00:00:00Z' }),
      coveredBy([always, { name: 'last', when: {}, then: 'ask' }], 0, now),
    ],
    [true, true, true, true, false, false, false, false, false, false, undefined],
  );
});
