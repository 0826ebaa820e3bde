import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Proposal } from '#shared/policies/decider.ts';
import { clockTime } from '../../ui/times.ts';
import { sayDeclines, sayWhy } from './asked.ts';

const at = '2027-01-01T12:00:00.000Z';
const asked = (why: Proposal['why'], askedByHandle: string): Proposal => ({
  id: 'prp_1',
  inquiryId: 'inq_1',
  decider: { id: 'dcd_1', name: 'Helper' },
  why,
  state: 'waiting',
  at,
  askedBy: 'Phone',
  askedByHandle,
});
const mara = { handle: 'mara', device: 'Phone' };

test('[POL9] whoever asked a decider is named, this person as "you" and this device as such', () => {
  const time = clockTime(Date.parse(at));
  deepStrictEqual(
    [
      sayWhy(asked('asked', 'mara'), mara),
      sayWhy(asked('asked', 'mara'), { handle: 'mara', device: 'Laptop' }),
      sayWhy(asked('asked', 'jonas'), mara),
      sayWhy(asked('instead of declining', 'jonas'), mara),
      sayDeclines(asked('instead of declining', 'mara'), mara),
      sayDeclines(asked('instead of declining', 'jonas'), mara),
    ],
    [
      `You asked Helper at ${time}, on this device.`,
      `You asked Helper at ${time}, on Phone.`,
      `jonas asked Helper at ${time}, on Phone.`,
      `jonas handed this to Helper at ${time}, on Phone.`,
      'If nothing comes of it, this is declined in your name.',
      'If nothing comes of it, this is declined in the name of jonas.',
    ],
  );
});
