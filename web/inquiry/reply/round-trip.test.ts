import { deepStrictEqual, ok } from 'node:assert/strict';
import { before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { AnswerContent } from '#shared/answer.ts';
import { answerFaults, type SchemaFaults } from '#shared/fit.ts';
import type { Asked, Inquiry } from '#shared/inquiry.ts';
import { toContent, toDraft } from './content.ts';
import { replyFaults } from './faults.ts';
import { fetchForms } from './form/ready.ts';
import { readForm } from './form/schema.ts';
import { firstReply, replyFrom } from './state.ts';
import { asks } from './testing/asks.ts';
import { whimsical } from './testing/person.ts';

const SEED = 20_261_122;
const RUNS = { seed: SEED, numRuns: 600, endOnFailure: true };

before(fetchForms);

// As the hub checks values against a schema. Of a form that is written as JSON the page knows only that it is JSON.
const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false, logger: false, ownProperties: true });
const { ['default']: addAll } = addFormats as unknown as { default: (to: typeof ajv) => void };
addAll(ajv);
const schemaFaults: SchemaFaults = (schema, value) => {
  if (!readForm(schema)) return [];
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, keyword }) => ({
    path: instancePath,
    code: `schema.${keyword}`,
    message: '',
  }));
};

const inquiryOf = (asked: Asked) => ({ title: 'Which?', source: { id: 'src_1', name: 'Atlas' }, ...asked }) as Inquiry;
const onTheWire = (content: AnswerContent) => AnswerContent.parse(JSON.parse(JSON.stringify(content)));

// None of several, where the question may be skipped, is skipping it.
const withoutNone = ({ values, ...rest }: AnswerContent) => ({
  ...rest,
  values: Object.entries(values ?? {}).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
});

test(`[RES3] what the page lets through fits its inquiry, whatever was asked and pressed (seed ${SEED})`, () => {
  let sent = 0;
  let held = 0;
  fc.assert(
    fc.property(asks, fc.gen(), (asked, whim) => {
      const inquiry = inquiryOf(asked);
      const reply = whimsical(inquiry, firstReply(inquiry), whim);
      if (replyFaults(inquiry, reply).length > 0) return void held++;
      sent++;
      deepStrictEqual(answerFaults(asked, onTheWire(toContent(inquiry, reply)), { schemaFaults }), []);
    }),
    RUNS,
  );
  ok(sent > 80 && held > 80, `${sent} were sent and ${held} held back: the test looks at one side only`);
});

test(`what was pressed and written is the same after the page was closed in the middle (seed ${SEED})`, () => {
  fc.assert(
    fc.property(asks, fc.gen(), (asked, whim) => {
      const inquiry = inquiryOf(asked);
      const reply = whimsical(inquiry, firstReply(inquiry), whim);
      const back = replyFrom(inquiry, onTheWire(toDraft(inquiry, reply)), true);
      const faults = replyFaults(inquiry, reply);
      // Decisions are kept up to the first call that nobody decided.
      if (asked.actions && faults.length > 0) return;
      deepStrictEqual([replyFaults(inquiry, back), toContent(inquiry, back)], [faults, toContent(inquiry, reply)]);
    }),
    RUNS,
  );
});

test(`a whole suggestion that nobody touched is sent as it was suggested (seed ${SEED})`, () => {
  let whole = 0;
  fc.assert(
    fc.property(asks, fc.gen(), (asked, whim) => {
      const blank = inquiryOf(asked);
      const answered = whimsical(blank, firstReply(blank), whim);
      if (replyFaults(blank, answered).length > 0) return;
      whole++;
      const suggested = onTheWire(toContent(blank, answered));
      const inquiry = { ...blank, suggested };
      const reply = firstReply(inquiry);
      const sent = onTheWire(toContent(inquiry, reply));
      deepStrictEqual([replyFaults(inquiry, reply), withoutNone(sent)], [[], withoutNone(suggested)]);
    }),
    RUNS,
  );
  ok(whole > 80, `only ${whole} suggestions were whole`);
});
