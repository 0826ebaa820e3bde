import type { Raw } from './form/values.ts';

/** What stands in the answer's place of one question; `own` once the person has touched it. */
export type Part = { own: boolean } & (
  | { type: 'text'; text: string }
  | { type: 'choice' | 'multi'; picks: string[]; otherOn: boolean; other: string }
  | { type: 'form'; raw: Raw; json: string }
);

export type PartOf<T extends Part['type']> = Extract<Part, { type: T }>;
