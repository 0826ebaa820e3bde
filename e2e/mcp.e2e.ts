import { connectClient, wordsOf } from './mcp/clients.ts';
import { InquiryPage } from './page/inquiry.ts';
import { expect, testOnOneHub as test } from './page/scene.ts';

test('[WDR1] an agent asks by a tool, a person answers in one browser, the other’s dialog closes and the tool returns', async ({
  place,
  openDevice,
}) => {
  const inquiries = await Promise.all(['Laptop', 'Phone'].map(async (name) => new InquiryPage(await openDevice(name))));
  const [laptop, phone] = inquiries as [InquiryPage, InquiryPage];
  const agent = await connectClient(`${place.hub.url}/mcp`, place.source.key);
  const asked = agent.call('send_inquiry', { prompt: 'Which colour for the door?', to: ['mara'] });
  for (const inquiry of inquiries) await inquiry.open('Which colour for the door?');
  const told = await laptop.noteHeadlines();
  await phone.answer.fill('The blue of the shutters.');
  await phone.decide('Send');
  await told('You answered this on Phone.');
  const result = await asked;
  expect(wordsOf(result)).toContain('The blue of the shutters.');
  expect(result.structuredContent).toMatchObject({
    status: 'resolved',
    outcome: 'answered',
    answer: { text: 'The blue of the shutters.' },
    by: { kind: 'person', handle: 'mara', device: { name: 'Phone' } },
  });
  await agent.close();
});

test('a call that its agent gives up disappears from the page', async ({ place, openDevice }) => {
  const inquiry = new InquiryPage(await openDevice('Laptop'));
  const agent = await connectClient(`${place.hub.url}/mcp`, place.source.key, 'SDK 1');
  const giveUp = new AbortController();
  const asked = agent
    .call('send_inquiry', { prompt: 'Shall I go on?' }, { signal: giveUp.signal })
    .catch(() => 'given up');
  await inquiry.open('Shall I go on?');
  giveUp.abort();
  expect(await asked).toBe('given up');
  await expect(inquiry.heading).not.toContainText('Shall I go on?');
  await agent.close();
});
