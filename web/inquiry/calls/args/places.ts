import type { Exact } from '../exact.ts';

type Members = Extract<Exact, { kind: 'object' }>['members'];
/** Where something stands in arguments: the names of members and the places of entries that lead to it. */
export type Place = readonly string[];

/** A place as the name of its field: a JSON pointer without its first slash. */
export function nameOf(at: Place): string {
  return at.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
}

/** The place that a field is named after. */
export function placeOf(name: string): Place {
  return name.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands at a place. */
export function valueAt(args: Exact, at: Place): Exact | undefined {
  return at.reduce<Exact | undefined>((value, step) => {
    if (value?.kind === 'object') return value.members.find(([name]) => name === step)?.[1];
    return value?.kind === 'array' ? value.items[Number(step)] : undefined;
  }, args);
}

/**
 * The same arguments with this value at a place, or without what stood there; all else stays as it was written. What
 * comes back stands where it stood in the arguments that were `asked`.
 */
export function withValue(args: Exact, at: Place, value: Exact | undefined, asked?: Exact): Exact {
  const [step, ...rest] = at;
  if (step === undefined) return value ?? args;
  const inner = asked && valueAt(asked, [step]);
  if (args.kind === 'array') {
    const place = Number(step);
    const item = args.items[place];
    const put = rest.length > 0 && item ? withValue(item, rest, value, inner) : value;
    if (!put) return { ...args, items: args.items.toSpliced(place, 1) };
    return { ...args, items: place < args.items.length ? args.items.with(place, put) : [...args.items, put] };
  }
  if (args.kind !== 'object') return args;
  const place = args.members.findIndex(([name]) => name === step);
  const member = args.members[place]?.[1];
  const put = rest.length > 0 && member ? withValue(member, rest, value, inner) : value;
  if (!put) return { ...args, members: args.members.filter(([name]) => name !== step) };
  if (place >= 0) return { ...args, members: args.members.with(place, [step, put]) };
  return { ...args, members: args.members.toSpliced(placeAsAsked(args.members, step, asked), 0, [step, put]) };
}

function placeAsAsked(members: Members, step: string, asked: Exact | undefined): number {
  const order = asked?.kind === 'object' ? asked.members.map(([name]) => name) : [];
  const before = new Set(order.slice(0, Math.max(0, order.indexOf(step))));
  return order.includes(step) ? members.findLastIndex(([name]) => before.has(name)) + 1 : members.length;
}
