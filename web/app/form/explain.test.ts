import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Problem } from '#shared/problem.ts';
import { language } from '../../ui/language.ts';
import { explain } from './explain.ts';

const refused = (code: string, faults?: Problem['faults']): Problem => ({
  type: `urn:beckon:problem:${code}`,
  title: code,
  status: 422,
  detail: 'Its last attempt ended less than 5 seconds ago.',
  code,
  ...(faults && { faults }),
});

test('a refusal is said in the language of the page, with what is wrong in it, and else in the words of the hub', async (t) => {
  const faults = [{ path: '/handle', code: 'handle', message: 'is too long' }];
  const said = () => [
    explain(refused('delivery.just_tried')),
    explain(refused('request.invalid', faults)),
    explain(refused('of.a.newer.hub')),
  ];
  const english = said();
  language.value = 'zh';
  t.after(() => (language.value = 'en'));
  await import('./refusals.ts');
  deepStrictEqual(
    [english, said()],
    [
      [
        'Its last attempt ended less than 5 seconds ago.',
        'Its last attempt ended less than 5 seconds ago. handle is too long.',
        'Its last attempt ended less than 5 seconds ago.',
      ],
      [
        '刚刚试过。请过几秒再试。',
        '有内容缺失或不符合要求：Its last attempt ended less than 5 seconds ago. handle is too long.',
        'Its last attempt ended less than 5 seconds ago.',
      ],
    ],
  );
});
