import { isUntitled, titleText } from '#shared/call-name/name.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { endedUnused } from '#shared/validity.ts';
import { serverNow } from '../ui/clock.ts';
import { runKey, runName } from '../inbox/many/bunches.ts';
import { type Verb, verbOf } from '../inquiry/outcome/verbs.ts';

/** What one source and run asked on one day; a record is one inquiry, or several calls alike, newest first. */
export type Run = {
  key: string;
  inquiry: Inquiry;
  name: string | undefined;
  count: number;
  ofCalls: boolean;
  records: Inquiry[][];
};
export type Day = { day: string; runs: Run[] };

/** So many calls alike are one record. */
const ALIKE = 3;

/** Resolved inquiries by day and run, what was resolved last first, however long it had been open. */
export function toDays(items: readonly Inquiry[], dayOf: (at: number) => string): Day[] {
  const sorted = items.toSorted((a, b) => settledAt(b) - settledAt(a));
  return [...Map.groupBy(sorted, (inquiry) => dayOf(settledAt(inquiry)))].map(([day, ofDay]) => ({
    day,
    runs: [...Map.groupBy(ofDay, (inquiry) => runKey({ inquiry }))].map(([key, ofRun]) => ({
      key,
      inquiry: ofRun[0] as Inquiry,
      name: runName(ofRun[0] as Inquiry),
      count: ofRun.length,
      ofCalls: ofRun.every(({ actions }) => actions?.length === 1),
      records: toRecords(ofRun),
    })),
  }));
}

/** How many of them were decided, and how many nobody answered in time. */
export function countOutcomes(items: readonly Inquiry[]): { answered: number; missed: number } {
  const verbs = items.map(verbOf);
  const apart: Verb[] = ['withdrawn', 'leftToAgent', 'unanswered', 'missed'];
  return {
    answered: verbs.filter((verb) => !apart.includes(verb)).length,
    missed: verbs.filter((verb) => verb === 'missed').length,
  };
}

function toRecords(inquiries: Inquiry[]): Inquiry[][] {
  const keys = inquiries.map((inquiry) => likeness(inquiry) ?? inquiry.id);
  const alike = Map.groupBy(inquiries, (_, at) => keys[at]);
  return inquiries.flatMap((inquiry, at) => {
    const same = alike.get(keys[at]) ?? [];
    if (same.length < ALIKE) return [[inquiry]];
    return same[0] === inquiry ? [same] : [];
  });
}

// The place of a call among its like ("3/24"); a number that stands alone may be an amount.
const PLACE = /(?<=^|[\s=])\d+(?=\/\d+(?:\s|$))/g;

/**
 * Calls are alike that were decided in the same way and read the same but for their place among all ("3/24"); undefined
 * for what stands alone: caution, words with the decision, and whatever else is told of one call.
 */
function likeness(inquiry: Inquiry): string | undefined {
  const { actions = [], resolution, late, lost, escalated, notPickedUp, notTaken, context } = inquiry;
  const [action, ...more] = actions;
  const decision = resolution?.answer?.decisions?.[0];
  if (!action || more.length > 0 || action.caution || !isUntitled(inquiry) || !decision || !resolution)
    return undefined;
  if (late?.length || lost?.length || escalated?.length || notPickedUp || notTaken) return undefined;
  if (endedUnused(inquiry, serverNow())) return undefined;
  if (decision.type === 'edit' || 'message' in decision || 'optionId' in decision) return undefined;
  const { by } = resolution;
  const who =
    by.kind === 'person' ? [by.handle, by.device.id, by.via] : [by.label, 'ruleId' in by ? by.ruleId : undefined];
  const shape = titleText(inquiry, 'en', Infinity).replace(PLACE, '0');
  return JSON.stringify([verbOf(inquiry), by.kind, who, action.name, context?.cwd, shape]);
}

function settledAt({ resolution, openedAt }: Inquiry): number {
  return Date.parse(resolution?.at ?? openedAt);
}
