import { test, type TestContext } from 'node:test';

/** Tests that each begin in a place of their own. */
export function testsIn<Place>(open: (t: TestContext) => Promise<Place> | Place) {
  return (title: string, work: (place: Place, t: TestContext) => Promise<void>): void =>
    void test(title, async (t) => work(await open(t), t));
}
