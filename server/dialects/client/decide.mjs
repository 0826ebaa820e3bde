import { inquire } from './beckon.mjs';

/**
 * What people decided about one call: `approve`, `edit` with the `args` it runs with, or `refuse` with the `text` for its
 * model. Whatever is no person's yes to this call is `refuse`.
 */
export async function decide(action, { runId, ...options }) {
  const context = runId === undefined ? {} : { context: { runId } };
  const { outcome, answer, text, validUntil } = await inquire({ actions: [action], ...context }, options).catch(
    (error) => {
      // A run that comes back to its question later than the approval held.
      if (error.code === 'ask.ended') return { outcome: 'expired', text: error.message };
      throw error;
    },
  );
  const [decision] = outcome === 'answered' ? (answer?.decisions ?? []) : [];
  if (decision?.type === 'approve') return { type: 'approve', validUntil };
  if (decision?.type === 'edit') return { type: 'edit', args: decision.args, validUntil };
  return { type: 'refuse', text };
}
