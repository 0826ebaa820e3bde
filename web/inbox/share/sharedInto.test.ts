import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { sharedInto } from './sharedInto.ts';

const into = (ask: object, own?: object) => sharedInto(ask as Inquiry, own, 'https://a.example');
const options = [{ value: 'a', label: 'A' }];
const call = { name: 'refund', args: {} };

test('what is shared joins the words begun, in the first place that takes words', () => {
  deepStrictEqual(
    [
      into({ prompt: 'Where?' }),
      into({ prompt: 'Where?' }, { text: 'Here:' }),
      into({ document: { markdown: '# Notes' } }),
      into({
        questions: [
          { id: 'c', type: 'choice', prompt: '', options, allowOther: true },
          { id: 't', type: 'text', prompt: '' },
        ],
      }),
      into({ questions: [{ id: 'c', type: 'choice', prompt: '', options, allowOther: true }] }),
      into({ actions: [{ ...call, allowed: ['approve', 'respond'] }] }),
    ],
    [
      { text: 'https://a.example' },
      { text: 'Here:\nhttps://a.example' },
      { markdown: '# Notes\n\nhttps://a.example' },
      { values: { t: 'https://a.example' } },
      { other: { c: 'https://a.example' } },
      { decisions: [{ type: 'respond', message: 'https://a.example' }] },
    ],
  );
});

test('secrets, closed choices, links, and calls that take no words take nothing that was shared', () => {
  deepStrictEqual(
    [
      into({ questions: [{ id: 't', type: 'text', secret: true, prompt: '' }] }),
      into({ questions: [{ id: 'c', type: 'choice', prompt: '', options }] }),
      into({ link: { url: 'https://b.example', completes: 'self' } }),
      into({ actions: [{ ...call, allowed: ['approve', 'reject'] }] }),
      into({ actions: [call, call].map((one) => ({ ...one, allowed: ['respond'] })) }),
    ],
    Array.from({ length: 5 }, () => undefined),
  );
});
