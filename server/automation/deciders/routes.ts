import type { Http } from '../../platform/http/server.ts';
import { z } from 'zod';
import { DeciderRun, Proposal } from '#shared/policies/decider.ts';
import { list } from '#shared/wire.ts';
import { deviceOf, routeFor } from '../../platform/http/access.ts';
import { DONE, Id } from '../../platform/http/params.ts';
import type { Deciding } from './deciding.ts';
import { toAnswerer } from '../../inquiries/answerer.ts';
import { refuseForeign } from '../../inquiries/state.ts';
import { handToDecider, overrule } from './act.ts';
import { readRuns } from './runs.ts';

const route = routeFor('device', 'People');
const DelegationRequest = z.object({
  insteadOf: z
    .literal('decline')
    .optional()
    .describe('`decline`: where the decider gives no answer, the inquiry is declined.'),
  message: z.string().max(65_536).optional().describe('With insteadOf: the words of the decline.'),
});

/** What people do with deciders: hand an inquiry over, overrule what one proposes, read what it was sent. */
export function proposalRoutes(app: Http, inquiries: Deciding): void {
  route(app, 'POST /v1/inquiries/:id/decider', 'Let the decider of its source decide, or stand in for a decline', {
    operationId: 'askDecider',
    description:
      'The decider that the owner chose for the source is asked. Its decision is shown for some seconds, in which anybody who was asked can overrule it.',
    problems: [
      'inquiry.unknown',
      'inquiry.already_resolved',
      'inquiry.no_decider',
      'inquiry.undecidable',
      'proposal.held',
    ],
    params: Id,
    body: DelegationRequest,
    response: { 202: Proposal },
    handler: async (request) => {
      const { insteadOf, message } = request.body;
      const declines = insteadOf === undefined ? undefined : { message };
      return handToDecider(inquiries, toAnswerer(deviceOf(request), 'http'), request.params.id, declines);
    },
  });

  for (const [what, operationId, said] of [
    ['stop', 'stopProposal', 'Keep a decider from deciding; what it proposes stays as a suggestion'],
    ['now', 'sendProposal', 'Send what a decider proposes now'],
    ['dismiss', 'dismissProposal', 'Put away what a decider proposes; nothing of it is sent'],
  ] as const)
    route(app, `POST /v1/proposals/:id/${what}`, said, {
      operationId,
      description: 'For those who were asked; what is decided already stays so.',
      problems: ['proposal.unknown', 'proposal.not_ready'],
      params: Id,
      response: DONE,
      handler: (request) => overrule(inquiries, toAnswerer(deviceOf(request), 'http'), request.params.id, what),
    });

  route(app, 'GET /v1/inquiries/:id/runs', 'What deciders were sent about it and what came back', {
    operationId: 'listRuns',
    description: 'Each time that a decider was asked, newest last, without its key.',
    problems: ['inquiry.unknown'],
    params: Id,
    response: { 200: list(DeciderRun) },
    handler: async (request) => {
      const { person } = deviceOf(request);
      await refuseForeign(inquiries.database, request.params.id, { personId: person.id });
      return { items: await readRuns(inquiries.database.read, request.params.id) };
    },
  });
}
