import { expect } from '@playwright/test';
import { coldVisit } from './page/cold.ts';
import { test } from './page/scene.ts';

test('a first visit asks for at most 12 things and 60 KB of script until a question can be read, and nothing moves', async ({
  place,
  openDevice,
}) => {
  const phone = await openDevice('Phone', { viewport: { width: 390, height: 844 } });
  await place.ask({ title: 'Shall I deploy?', prompt: 'Everything is green.' });
  await phone.getByText('Shall I deploy?').first().waitFor();
  const { requests, scriptBytes, shift } = await coldVisit(phone, place.origin, 'Shall I deploy?', 1);
  expect(requests).toContain('/');
  expect(requests.length, requests.join(' ')).toBeLessThanOrEqual(12);
  expect(scriptBytes).toBeGreaterThan(20_000);
  expect(scriptBytes).toBeLessThanOrEqual(60 * 1024);
  expect(shift).toBeLessThanOrEqual(0.02);
});
