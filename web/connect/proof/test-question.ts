import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { call } from '../../live/api.ts';

const LASTS_SECONDS = 15 * 60;
const RUNS = { en: 'Test question', zh: '测试问题' };

/** Whether the page asked this to try a key: it says nothing of the agent that the key is for. */
export function isTest({ context }: Pick<Inquiry, 'context'>): boolean {
  return Object.values<string | undefined>(RUNS).includes(context?.runId);
}

/** Asks with a source's own key, as its agent would; people see and answer it on all of their devices. */
export function sendTest(
  apiKey: string,
  language: keyof typeof RUNS,
  { prompt, yes, no }: Record<'prompt' | 'yes' | 'no', string>,
) {
  const options = [
    { value: 'yes', label: yes },
    { value: 'no', label: no },
  ];
  const ask: Ask = {
    title: prompt,
    questions: [{ id: 'seen', type: 'choice', prompt, options, required: true }],
    context: { runId: RUNS[language] },
    rules: 'none',
    deadline: LASTS_SECONDS,
  };
  return call<Inquiry>('POST', '/v1/inquiries', ask, { token: apiKey });
}
