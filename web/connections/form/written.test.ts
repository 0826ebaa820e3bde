import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Connection } from '#shared/connections/connection.ts';
import { toBody, toWritten, wrongIn } from './written.ts';

const lumen: Connection = {
  id: 'src_1',
  kind: 'chatcompletions',
  name: 'Lumen',
  baseUrl: 'https://lumen.example/v1',
  answerUrl: 'https://lumen.example/answer',
  answer: { id: '{inquiryId}', text: '{response}' },
  to: ['mara', 'on-call'],
  deadline: 300,
  platformLimit: 60,
  hasApiKey: true,
  headerNames: ['x-team'],
  hasInboundSecret: false,
  enabled: true,
  createdAt: '2027-01-01T00:00:00Z',
  changedAt: '2027-01-01T00:00:00Z',
};

test('a new connection sends what its kind has, and only what is filled in', () => {
  const written = { ...toWritten(undefined, 'mara'), name: ' Lumen ', baseUrl: 'https://lumen.example/v1' };
  deepStrictEqual(JSON.parse(JSON.stringify(toBody(written, undefined))), {
    kind: 'chatcompletions',
    name: 'Lumen',
    to: ['mara'],
    deadline: 300,
    baseUrl: 'https://lumen.example/v1',
    answer: { inquiryId: '{inquiryId}', response: '{response}' },
  });
  deepStrictEqual(JSON.parse(JSON.stringify(toBody({ ...written, kind: 'inbound' }, undefined))), {
    kind: 'inbound',
    name: 'Lumen',
    to: ['mara'],
    deadline: 300,
  });
});

test('a LangGraph connection sends what answers an object, and null once nothing does', () => {
  const graph: Connection = { ...lumen, kind: 'langgraph', interruptAnswer: 'confirm' };
  const same = toWritten(graph, 'mara');
  const sent = (interruptAnswer: string) => toBody({ ...same, interruptAnswer }, graph)['interruptAnswer'];
  deepStrictEqual(
    [same.interruptAnswer, sent('confirm'), sent('text'), sent('')],
    ['confirm', 'confirm', 'text', null],
  );
});

test('a change keeps the stored key and headers unless they are written anew or taken away', () => {
  const same = toWritten(lumen, 'mara');
  const saved = {
    name: 'Lumen',
    to: ['mara', 'on-call'],
    deadline: 300,
    baseUrl: 'https://lumen.example/v1',
    answerUrl: 'https://lumen.example/answer',
    platformLimit: 60,
    answer: { id: '{inquiryId}', text: '{response}' },
  };
  const sent = (change: object) => JSON.parse(JSON.stringify(toBody({ ...same, ...change }, lumen))) as unknown;
  deepStrictEqual(sent({}), saved);
  deepStrictEqual(sent({ forget: true }), { ...saved, apiKey: null, headers: {} });
  deepStrictEqual(sent({ apiKey: 'k2', headers: 'X-Team: day: 2\n\nX-Odd' }), {
    ...saved,
    apiKey: 'k2',
    headers: { 'X-Team': 'day: 2', 'X-Odd': null },
  });
  deepStrictEqual(sent({ answerUrl: '', platformLimit: ' ' }), { ...saved, answerUrl: null, platformLimit: null });
});

test('what is no number or no JSON goes to the hub as it is written', () => {
  const { deadline, platformLimit, answer } = toBody(
    { ...toWritten(lumen, 'mara'), deadline: 'soon', platformLimit: '1e999', answer: '{' },
    lumen,
  );
  deepStrictEqual({ deadline, platformLimit, answer }, { deadline: 'soon', platformLimit: '1e999', answer: '{' });
});

test('what is wrong stands at its field, and what has none is said of the whole', () => {
  const problem = { type: '', title: '', status: 422, detail: '', code: 'request.invalid' };
  const header = { path: '/headers/Host', code: 'connection.header', message: 'belongs to the call itself' };
  const wrong = wrongIn('inbound', { ...problem, faults: [header] });
  deepStrictEqual([wrong.of('headers'), wrong.of('name'), wrong.elsewhere], [header, undefined, false]);
  const other = { path: '/baseUrl', code: 'connection.base_url', message: 'is not for "inbound"' };
  deepStrictEqual(wrongIn('inbound', { ...problem, faults: [header, other] }).elsewhere, true);
  deepStrictEqual(wrongIn('inbound', problem).elsewhere, true);
});
