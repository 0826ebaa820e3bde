import { z } from 'zod';

export const Fault = z
  .object({
    path: z.string().describe('Where: a JSON Pointer (RFC 6901) into what was sent; empty for all of it.'),
    code: z.string().describe('What kind of fault it is; more may come.'),
    message: z.string().describe('What is wrong, as the rest of a sentence that begins with the path.'),
    params: z.record(z.string(), z.unknown()).optional().describe('What the message names, for words of your own.'),
  })
  .meta({ id: 'Fault', description: 'One thing wrong with a call.' });

/** A refusal as the reference describes it. */
export const ProblemDocument = z
  .looseObject({
    type: z.string().describe('"urn:beckon:problem:" and the code.'),
    title: z.string().describe('The code in words.'),
    status: z.int().describe('The status of the reply.'),
    detail: z.string().describe('What is wrong, and often what to do, in one sentence.'),
    code: z.string().describe('Which problem it is; /docs/problems says what to do about each.'),
    faults: z.array(Fault).optional().describe('Every fault, each with its place.'),
    resolution: z.unknown().optional().describe('With inquiry.already_resolved: how it is resolved.'),
  })
  .meta({
    id: 'Problem',
    description: 'A refusal (RFC 9457). Further members belong to single codes.',
    examples: [
      {
        type: 'urn:beckon:problem:request.invalid',
        title: 'request invalid',
        status: 422,
        detail: '/deadline must be seconds from now or an instant like 2027-01-31T12:00:00Z.',
        code: 'request.invalid',
        faults: [
          {
            path: '/deadline',
            code: 'field.invalid_union',
            message: 'must be seconds from now or an instant like 2027-01-31T12:00:00Z',
          },
        ],
      },
    ],
  });
