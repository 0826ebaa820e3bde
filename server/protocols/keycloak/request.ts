import { z } from 'zod';
import type { Action, Ask, Inquiry } from '#shared/inquiry.ts';
import { fault, invalid } from '#shared/faults.ts';
import type { Language } from '#shared/texts/language.ts';
import { DAY_MS } from '../../platform/clock.ts';
import type { Signed } from './token.ts';
import { WORDS } from './words.ts';

/** For the callback: a realm takes it only while the token holds. */
const MARGIN_MS = 5_000;

/** What Keycloak posts beside the token; further parameters of the client stand beside these. */
export const Body = z.looseObject({
  login_hint: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\p{C}]*$/u, 'holds characters that nobody sees'),
  binding_message: z
    .string()
    .regex(/^[a-zA-Z0-9\-._+/!?#]{1,50}$/, 'is not one that Keycloak takes')
    .nullish(),
  is_consent_required: z.boolean().nullish(),
  acr_values: z.string().max(1000).nullish(),
  scope: z.string().max(4000).nullish(),
});
export type Body = z.infer<typeof Body>;

/** What is kept for the callback; the token is sealed. */
export type Kept = { keycloak: string; expiresAt: number };

/**
 * What a person is asked: yes or no, with the binding message to compare, until shortly before the token runs out. Throws
 * 422 for one that holds for longer than a day, after which its id could be forgotten and it be asked anew.
 */
export function toAsk(
  signed: Signed,
  { login_hint: user, binding_message: shown, is_consent_required: consents, acr_values: acr, scope, ...more }: Body,
  { to, language, now, sealed }: { to: string; language: Language; now: number; sealed: string },
): Ask {
  const { issuer, id, client, expiresAt } = signed;
  const leftMs = expiresAt - now;
  if (leftMs > DAY_MS) throw invalid([fault('/requested_expiry', 'request.refused', 'is longer than a day')]);
  const words = WORDS[language];
  const scopes = [...new Set(scope?.split(/\s+/).filter(Boolean))];
  const deadline = Math.max(1, (leftMs - Math.min(MARGIN_MS, leftMs / 2)) / 1000);
  const asked = {
    client,
    realm: issuer,
    user,
    ...(shown ? { binding_message: shown } : {}),
    ...(scope ? { scope } : {}),
  };
  const action: Action = {
    name: 'sign_in',
    args: {
      ...asked,
      ...(acr ? { acr_values: acr } : {}),
      ...(Object.keys(more).length > 0 ? { more } : {}),
    } as Action['args'],
    description: [
      words.who(code(client), code(user), code(issuer)),
      ...words.may(scopes.map(code), consents === true),
    ].join('\n'),
    allowed: ['approve', 'reject'],
    options: [
      { id: 'yes', label: words.yes, type: 'approve' },
      { id: 'no', label: words.no, type: 'reject' },
    ],
    // No button of a notification says yes before anybody compared.
    caution: true,
  };
  return {
    to: [to],
    // The title is what a page draws largest.
    title: `${shown ? `${shown}: ` : ''}${words.title(client.slice(0, 80))}`,
    prompt: shown ? words.compare(code(shown)) : words.began,
    actions: [action],
    key: id,
    deadline,
    latest: deadline,
    validFor: Math.ceil(deadline),
    // Nobody else answers for whoever signs in.
    escalate: [],
    rules: 'none',
    ...(/(^|\s)phrh?(\s|$)/.test(acr ?? '') ? { assurance: 'passkey' as const } : {}),
    correlation: { keycloak: sealed, expiresAt } satisfies Kept,
  };
}

/** How it ended, in Keycloak's words: only a person's own yes is one. */
export function toStatus({ resolution }: Pick<Inquiry, 'resolution'>): 'SUCCEED' | 'UNAUTHORIZED' | 'CANCELLED' {
  const { outcome, by, answer } = resolution ?? {};
  if (by?.kind !== 'person') return 'UNAUTHORIZED';
  const [decision, ...others] = answer?.decisions ?? [];
  return outcome === 'answered' && decision?.type === 'approve' && others.length === 0 ? 'SUCCEED' : 'CANCELLED';
}

/** A name in Markdown, as it is. */
function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
