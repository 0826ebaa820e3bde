import { must } from '../../hub/call.ts';
import type { InquiryPage } from '../inquiry.ts';
import { press } from '../press.ts';
import type { Place } from '../scene.ts';

/** Answers a question with one tap, and looks at the bar that can undo it. */
export async function visitUndo(
  { hub, mara, origin }: Place,
  inquiry: InquiryPage,
  look: (screen: string) => Promise<void>,
  id: string,
): Promise<void> {
  const { page } = inquiry;
  const undoFor = (undoSeconds: number | null) =>
    must(hub, 'PATCH /v1/people/me', { token: mara.token, body: { preferences: { undoSeconds } } });
  const bar = page.locator('.undo');
  await undoFor(10);
  await page.goto(`${origin}/i/${id}`);
  await press(inquiry.panel.getByRole('button', { name: 'Release now' }), bar);
  await look('undo');
  await undoFor(0);
}
