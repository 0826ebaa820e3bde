import type { Problem } from '#shared/problem.ts';
import type { Got } from './send.ts';

/** What is wrong with a reply as such, or undefined: never a failure of the hub, every refusal explained. */
export function complaint(got: Got, { headless = false } = {}): string | undefined {
  // Who lost a race is told who won, as an outcome and not as an error (RES2).
  if (got.status < 400 || (got.status === 409 && got.text.startsWith('{"won":false,"resolution":{'))) return undefined;
  if (got.status >= 500) return `failed with ${got.status}: ${got.text}`;
  // OAuth has a form of its own (RFC 6749, 5.2).
  if (/^\{"error":"[a-z_]+","error_description":"[\x20-\x7E]+[.…]?"/.test(got.text)) return undefined;
  if (!got.type.startsWith('application/problem+json'))
    return `refused with ${got.status} as ${got.type || 'nothing'}: ${got.text.slice(0, 200)}`;
  if (headless) return undefined;
  return complaintOf(JSON.parse(got.text) as Problem, got.status);
}

/** The same for a problem document, wherever it came from. */
export function complaintOf(problem: Problem, status = problem.status): string | undefined {
  const { type, title, detail, code, faults } = problem;
  const shape = { type: `urn:beckon:problem:${code}`, title, status, detail, code };
  const told = JSON.stringify(problem).slice(0, 500);
  if (JSON.stringify({ type, title, status: problem.status, detail, code }) !== JSON.stringify(shape))
    return `refused with an odd problem: ${told}`;
  if (!/^\w+\.\w+$/.test(code) || !title || !/^\S.*[.…]$/su.test(detail))
    return `refused without a code or a sentence: ${told}`;
  if (status !== 422) return undefined;
  const located =
    faults?.length &&
    faults.every(
      (fault) => /^(\/.*)?$/su.test(fault.path) && /^\w+\.\w+$/.test(fault.code) && fault.message.length > 0,
    );
  return located ? undefined : `refused without located faults: ${told}`;
}
