import type { Ask } from '../../shared/inquiry.ts';

const LINE = '- **bold**, `code`, [a link](https://example.com) and <script>nothing</script>\n';
const options = Array.from({ length: 50 }, (_, at) => ({
  value: `o${at}`,
  label: `Option ${at + 1}, with a long name`,
}));

/** What takes a page longest to show, within what a source may send. */
export const HEAVY: Record<string, Ask> = {
  'a plain question': { prompt: 'Shall the release go out tonight?' },
  'a prompt of 64 KiB': { prompt: `What is this?\n\n${LINE.repeat(Math.floor(64_900 / LINE.length))}` },
  '20 questions of 50 options': {
    title: 'A long list',
    questions: Array.from({ length: 20 }, (_, at) => ({
      id: `q${at}`,
      type: 'choice' as const,
      prompt: `Question ${at + 1}?`,
      options,
    })),
  },
  'a call with 60 KB of code': {
    prompt: 'May I write this file?',
    actions: [
      {
        name: 'write_file',
        args: {
          path: 'a.ts',
          content: 'export const answer = (question: string) => question.length; // why\n'.repeat(900),
        },
        allowed: ['approve', 'edit', 'reject'],
      },
    ],
  },
  '20 calls': {
    title: 'May I make these calls?',
    actions: Array.from({ length: 20 }, (_, at) => ({
      name: 'refund',
      args: { order: `A-${at}`, amount: at, reason: 'Broken on arrival. '.repeat(20) },
      allowed: ['approve' as const, 'edit' as const, 'reject' as const],
    })),
  },
};
