/** Examples that the reference shows, each checked against its schema by a test. */
export const ASKS = [
  { prompt: 'Ship version 1.4 now?' },
  {
    title: 'Where to deploy?',
    questions: [
      {
        id: 'env',
        type: 'choice',
        prompt: 'Where shall I deploy?',
        options: [
          { value: 'staging', label: 'Staging' },
          { value: 'production', label: 'Production', description: 'Everybody sees it at once.' },
        ],
      },
    ],
    suggested: { values: { env: 'staging' } },
    deadline: 3600,
    key: 'deploy-1.4',
  },
  { actions: [{ name: 'delete_branch', args: { branch: 'old' }, allowed: ['approve', 'reject'], caution: true }] },
];

const opened = {
  prompt: 'Ship version 1.4 now?',
  title: 'Ship version 1.4 now?',
  id: 'inq_01k9zq4m2v7c3h8x5t6r0n1d2e',
  state: 'open',
  to: ['owner'],
  source: { id: 'src_01k9zq3f8w2j4k6m8n0p2r4t6v', name: 'release bot' },
  digest: '4b6a2f0c6f4e1d0b9a8f7e6d5c4b3a29180f7e6d5c4b3a29180f7e6d5c4b3a29',
  revision: 1,
  openedAt: '2026-11-20T09:00:00.000Z',
  deadlineAt: '2026-11-21T09:00:00.000Z',
  latestAt: '2026-11-21T09:15:00.000Z',
  reach: { told: 2, accepted: 2, shown: 1, opened: 0 },
};
const by = {
  kind: 'person',
  handle: 'owner',
  device: { id: 'dev_01k9zq1a3b5c7d9e1f3g5h7j9k', name: 'Phone' },
  via: 'live',
};
const answer = { text: 'Yes, ship it.' };
const resolution = { outcome: 'answered', at: '2026-11-20T09:04:12.000Z', answer, text: 'Yes, ship it.', by };
/** One that waits, and the same answered. */
export const ANSWERED = { ...opened, state: 'answered', revision: 2, resolution };
export const INQUIRIES = [opened, ANSWERED];
