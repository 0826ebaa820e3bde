import { z } from 'zod';
import { line, WebUrl } from './values.ts';

export const Context = z
  .strictObject({
    agent: z.string().max(200).optional().describe('Your name. Over MCP it is that of the client where you give none.'),
    subagent: z.string().max(200).optional().describe('The sub-agent of yours that asks; rules for an agent see both.'),
    threadId: z.string().max(200).optional().describe('The conversation it belongs to.'),
    runId: z.string().max(200).optional().describe('The run it belongs to; what the same run asked is shown together.'),
    cwd: z.string().max(1000).optional().describe('The folder you work in.'),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'is not a language tag (BCP 47)')
      .optional()
      .describe('Language of the texts you get, e.g. en or zh.'),
    links: z
      .array(
        z.strictObject({
          label: line(200).describe('What the person reads.'),
          url: WebUrl.describe('The address of the page.'),
        }),
      )
      .max(20)
      .optional()
      .describe('Pages worth opening before answering.'),
  })
  .meta({ id: 'Context', description: 'Where the question comes from; shown small.' });
