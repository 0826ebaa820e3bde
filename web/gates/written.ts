import type { ChangeGate, Gate } from '#shared/policies/gate.ts';

/** What stands in the form of a gate, as text. */
export type Written = Pick<ChangeGate, 'otherwise' | 'elicitation'> & {
  people: '1' | '2' | '3' | '4' | '5';
  receipt: 'no' | 'yes';
  name: string;
  url: string;
  credential: string;
  to: string;
  minutes: string;
  holds: string;
};

/** The form of a new gate, or of one that exists; its credential is never shown. */
export function toWritten(gate: Gate | undefined): Written {
  return {
    name: gate?.name ?? '',
    url: gate?.upstream.url ?? '',
    credential: '',
    to: gate?.to?.join(', ') ?? '',
    minutes: String((gate?.deadline ?? 3600) / 60),
    holds: String(gate?.validFor ?? ''),
    people: String(gate?.approvals?.count ?? 1) as Written['people'],
    receipt: gate?.receipt ? 'yes' : 'no',
    otherwise: gate?.otherwise ?? 'ask',
    elicitation: gate?.elicitation ?? 'client',
  };
}

/** What the form asks the hub for; an empty credential leaves the stored one, rules stay as they are. */
export function changeOfWritten(written: Written, gate: Gate | undefined): ChangeGate {
  const handles = written.to.split(/[\s,，]+/).filter(Boolean);
  const credential = written.credential.trim();
  return {
    upstream: {
      url: written.url.trim(),
      ...(credential === '' ? {} : { headers: { authorization: credential } }),
    },
    ...(handles.length > 0 ? { to: handles } : {}),
    ...(gate?.sources ? { sources: gate.sources } : {}),
    ...(written.holds.trim() === '' ? {} : { validFor: Number(written.holds) }),
    ...(written.people === '1' ? {} : { approvals: { count: Number(written.people) } }),
    ...(written.receipt === 'yes' ? { receipt: true } : {}),
    rules: gate?.rules ?? [],
    otherwise: written.otherwise,
    elicitation: written.elicitation,
    deadline: Math.round(Number(written.minutes) * 60),
  };
}
