import type { By } from '#shared/answer.ts';
import type { Language } from '#shared/texts/language.ts';
import type { writeOutcome, OutcomeTextName } from '#shared/texts/outcomes.ts';
import type { OutcomeTexts } from '#shared/wire.ts';

const SAID = {
  en: {
    title: 'Which city?',
    answer: 'Hangzhou',
    refused: 'Not now.',
    found: 'Found it.',
    rule: 'Nights',
    decider: 'Helper',
  },
  zh: {
    title: '哪个城市？',
    answer: '杭州',
    refused: '现在不方便。',
    found: '已经查到。',
    rule: '夜间',
    decider: '小助手',
  },
};

/** An end as an agent could meet it, for each text. */
export function example(
  name: OutcomeTextName,
  language: Language,
  texts: OutcomeTexts,
): Parameters<typeof writeOutcome>[0] {
  const { title, answer, refused, found, rule, decider } = SAID[language];
  const by: Record<OutcomeTextName, By> = {
    declined: { kind: 'person', handle: 'mara', device: { id: '', name: '' }, via: 'live' },
    expired: { kind: 'deadline', label: '' },
    withdrawn: { kind: 'source', label: '' },
    youDecide: { kind: 'policy', label: rule, ruleId: '' },
    byRule: { kind: 'policy', label: rule, ruleId: '' },
    byDecider: { kind: 'decider', label: decider, deciderId: '' },
  };
  const ends = {
    declined: { outcome: 'declined', message: refused },
    expired: { outcome: 'expired' },
    withdrawn: { outcome: 'withdrawn', message: found },
    youDecide: { outcome: 'declined' },
    byRule: { outcome: 'answered', answer: { text: answer } },
    byDecider: { outcome: 'answered', answer: { text: answer } },
  } as const;
  return {
    asked: { title, prompt: title },
    resolution: { ...ends[name], by: by[name] },
    how: name === 'youDecide' ? 'you-decide' : undefined,
    language,
    texts,
    deadlineAt: '2026-11-23T09:00:00.000Z',
  };
}
