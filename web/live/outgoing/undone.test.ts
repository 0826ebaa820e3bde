import { deepStrictEqual } from 'node:assert/strict';
import { afterEach, describe, mock, test } from 'node:test';
import { forgetNotes } from './forget.ts';
import { gone, undone } from './undone.ts';

const answersOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ answerId: `${name}${at}`, inquiryId: `inq_${name}${at}` }));

/** What `localStorage` is to two pages of one device; `full` refuses to take anything more. */
function storage(full = false): Storage {
  const kept = {
    getItem: (key: string) => (Object.hasOwn(kept, key) ? (kept as Record<string, unknown>)[key] : null),
    removeItem: (key: string) => void delete (kept as Record<string, unknown>)[key],
    setItem(key: string, value: string) {
      if (full) throw new DOMException('full', 'QuotaExceededError');
      Object.defineProperty(kept, key, { value, enumerable: true, configurable: true });
    },
  };
  for (const method of Object.keys(kept)) Object.defineProperty(kept, method, { enumerable: false });
  return kept as unknown as Storage;
}

const asAnotherPage = async () =>
  (await import(`./undone.ts?page=${Math.random()}`)) as { undone: typeof undone; gone: typeof gone };

describe('what is undone', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  afterEach(() => {
    mock.timers.reset();
    Reflect.deleteProperty(globalThis, 'localStorage');
    if (before) Object.defineProperty(globalThis, 'localStorage', before);
  });

  test('[PAG3] all of a selection that is undone is known to every page of the device, however many they are', async () => {
    globalThis.localStorage = storage();
    const answers = answersOf('a', 300);
    deepStrictEqual([undone.note(answers), gone.note(answers)], [true, true]);
    const other = await asAnotherPage();
    deepStrictEqual(
      [other.undone, other.gone].map(({ has }) => answers.filter(({ answerId }) => !has(answerId))),
      [[], []],
    );
    deepStrictEqual(other.undone.has('b0'), false);
  });

  test('[PAG3] pages of the version before and this one honour what the other undid', async () => {
    globalThis.localStorage = storage();
    localStorage.setItem('beckon.undone', '["theirs"]');
    undone.note(answersOf('ours', 30));
    deepStrictEqual(
      [undone.has('theirs'), (JSON.parse(localStorage.getItem('beckon.undone') ?? '') as string[]).length],
      [true, 31],
    );
    for (const damaged of ['{', 'null', '{"a":1}']) {
      localStorage.setItem('beckon.undone', damaged);
      deepStrictEqual([undone.has('ours7'), undone.has('theirs')], [true, false], damaged);
    }
  });

  test('[PAG3] where nothing can be stored it is not said to be noted, and this page does not send it all the same', () => {
    globalThis.localStorage = storage(true);
    deepStrictEqual([undone.note(answersOf('c', 2)), undone.has('c0'), undone.has('c1')], [false, true, true]);
    Object.defineProperty(globalThis, 'localStorage', {
      configurable: true,
      get: () => {
        throw new DOMException('denied', 'SecurityError');
      },
    });
    deepStrictEqual([undone.note(answersOf('d', 1)), undone.has('d0'), undone.has('d1')], [false, true, false]);
    Object.defineProperty(globalThis, 'localStorage', { configurable: true, writable: true, value: storage() });
  });

  test('what was undone is forgotten a day after its inquiry ended, once it is kept nowhere', async () => {
    mock.timers.enable({ apis: ['Date'], now: 1_800_000_000_000 });
    globalThis.localStorage = storage();
    undone.note(answersOf('e', 40));
    const left = async () => {
      const { undone: read } = await asAnotherPage();
      return answersOf('e', 40).filter(({ answerId }) => read.has(answerId)).length;
    };
    const forget = () =>
      forgetNotes(
        (id) => id === 'inq_e3',
        (id) => id === 'e5',
      );
    forget();
    deepStrictEqual(await left(), 40);
    mock.timers.tick(86_400_000);
    forget();
    // The last 20 stand in the older list too.
    deepStrictEqual(
      [await left(), Object.keys(localStorage)],
      [22, ['beckon.undone.e3', 'beckon.undone.e5', 'beckon.undone']],
    );
  });
});
