import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, toProblem } from './problem.ts';

test('a refusal becomes a problem document with its code and sentence', () => {
  deepStrictEqual(toProblem(new AppError(409, 'inquiry.already_resolved', 'Ada answered first.')), {
    type: 'urn:beckon:problem:inquiry.already_resolved',
    title: 'inquiry already resolved',
    status: 409,
    detail: 'Ada answered first.',
    code: 'inquiry.already_resolved',
  });
});

test('faults and what belongs to the outcome stand beside the sentence', () => {
  const faults = [{ path: '/questions/0/id', code: 'missing', message: 'An id is needed.', params: { min: 1 } }];
  const extra = { won: false, resolution: { outcome: 'answered' } };
  deepStrictEqual(toProblem(new AppError(422, 'request.invalid', 'The ask has one fault.', { faults, extra })), {
    type: 'urn:beckon:problem:request.invalid',
    title: 'request invalid',
    status: 422,
    detail: 'The ask has one fault.',
    code: 'request.invalid',
    faults,
    ...extra,
  });
});
