import type { Look } from './look.ts';
import { expect } from '@playwright/test';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { must } from '../../hub/call.ts';
import { addPerson, addSource, type Device } from '../../hub/people.ts';
import type { InquiryPage } from '../inquiry.ts';
import type { Place } from '../scene.ts';

const ASK: Ask = {
  to: ['mara', 'anna'],
  title: 'Delete 41 preview databases',
  actions: [
    { name: 'Bash', args: { command: './drop-preview.sh --older-than 30d' }, allowed: ['approve', 'edit', 'reject'] },
  ],
  context: { agent: 'claude-code', cwd: '~/code/infra', runId: 'run 17' },
  approvals: { count: 2 },
};

/** A call that two people must approve: approved by the other one, changed by her, and approved by the one who looks. */
export async function visitHands({ hub, mara, origin }: Place, inquiry: InquiryPage, look: Look): Promise<void> {
  const { page } = inquiry;
  const anna = await addPerson(hub, mara, 'anna');
  const { key } = await addSource(hub, mara, 'Warden', { mayAsk: ['mara', 'anna'] });
  const stand = async (name: string, { token }: Device, decision: object) => {
    const { id, digest } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: ASK });
    await must(hub, `POST /v1/inquiries/${id}/answer`, { token, body: { digest, decisions: [decision] } });
    await page.goto(`${origin}/i/${id}`);
    await expect(page.getByRole('region', { name: 'Two people must approve' })).toContainText('one more');
    await expect(inquiry.panel).toContainText('1 of 2:');
    await look(`inquiry-hands-${name}`);
    await must(hub, `POST /v1/inquiries/${id}/withdraw`, { token: key, body: {} });
  };
  await stand('other', anna, { type: 'approve' });
  await stand('edited', anna, { type: 'edit', args: { command: './drop-preview.sh --older-than 60d' } });
  await stand('own', mara, { type: 'approve' });
}
