import type { PushMessage } from '#shared/push.ts';

type Of<Kind extends PushMessage['t']> = Extract<PushMessage, { t: Kind }>;

/** Long after every moment of a test's clock. */
const LATER = '2100-01-01T00:00:00.000Z';

export const ask = (id: string, more: Partial<Of<'ask'>> = {}): Of<'ask'> => ({
  t: 'ask',
  id,
  title: `Shall ${id} happen?`,
  body: 'Atlas. By 14:17',
  lang: 'en',
  actions: [
    { action: 'yes', title: 'Yes', body: { values: { q: 'yes' }, digest: 'd' } },
    { action: 'no', title: 'No', body: { values: { q: 'no' }, digest: 'd' } },
  ],
  deadlineAt: LATER,
  urgency: 'normal',
  badge: 1,
  ...more,
});

export const withdraw = (id: string, badge = 0): Of<'withdraw'> => ({
  t: 'withdraw',
  id,
  title: 'Answered: Yes',
  body: 'Mara, on MacBook',
  lang: 'en',
  badge,
});
