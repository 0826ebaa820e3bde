import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { required } from './on-screen.ts';

const call = (more: Partial<Action> = {}) => ({ name: 'rm', args: { path: '/' }, allowed: ['approve'], ...more });
const edges = (...actions: object[]) => required({ title: 'Delete?', actions } as unknown as Inquiry);

test('[PAG1] with caution all that is said of a call has to be on the screen to its end, else its name and where its arguments begin', () => {
  const whole = ['prose', '0.name', '0.args'].flatMap((id) => [`${id}:top`, `${id}:end`]);
  deepStrictEqual([edges(call()), edges(call({ caution: true }))], [['0.name:top', '0.name:end', '0.args:top'], whole]);
});
