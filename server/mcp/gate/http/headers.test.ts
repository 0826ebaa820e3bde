import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '@modelcontextprotocol/client';
import { decodedHeader, towardsClient, towardsUpstream, withParamHeaders } from './headers.ts';

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('an upstream gets the gate’s credentials and nothing that is for the hub or the connection', () => {
  const headers = {
    host: 'hub.example',
    authorization: 'Bearer bks_x',
    cookie: 'a=b',
    origin: 'https://hub.example',
    'x-forwarded-for': '10.0.0.1',
    connection: 'keep-alive, x-private',
    'x-private': 'y',
    'accept-encoding': 'gzip',
    'mcp-session-id': 's',
    'x-own': 'client',
    traceparent: TRACE,
    'x-http-method-override': 'POST',
    'x-original-url': '/other',
  };
  deepStrictEqual(towardsUpstream(headers, { Authorization: 'Bearer own', 'X-Own': 'gate' }), {
    'accept-encoding': 'identity',
    'mcp-session-id': 's',
    authorization: 'Bearer own',
    'x-own': 'gate',
    traceparent: TRACE,
  });
});

test('an upstream says nothing in the name of the hub', () => {
  const headers = {
    'content-type': 'application/json',
    'content-length': '2',
    'set-cookie': ['a=b'],
    'access-control-allow-origin': '*',
    'www-authenticate': 'Bearer resource_metadata="https://evil.example"',
    'mcp-session-id': 's',
  };
  deepStrictEqual(towardsClient(headers), { 'content-type': 'application/json', 'mcp-session-id': 's' });
});

test('the headers that mirror arguments follow the edited ones', () => {
  const tool = {
    name: 't',
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        gone: { type: 'string', 'x-mcp-header': 'Gone' },
        deep: { type: 'object', properties: { on: { type: 'boolean', 'x-mcp-header': 'On' } } },
        plain: { type: 'string' },
      },
    },
  } as unknown as Tool;
  const before = { 'mcp-name': 't', 'mcp-param-region': 'old', 'mcp-param-gone': 'old', 'mcp-param-strange': 'old' };
  const after = withParamHeaders(
    before,
    tool,
    '{"region":"Zürich","count":2,"gone":null,"deep":{"on":true},"plain":"x"}',
  );
  deepStrictEqual(after, {
    'mcp-name': 't',
    'mcp-param-region': '=?base64?WsO8cmljaA==?=',
    'mcp-param-count': '2',
    'mcp-param-on': 'true',
  });
  deepStrictEqual(
    [decodedHeader(after['mcp-param-region'] as string), decodedHeader('=?base64?%?=')],
    ['Zürich', undefined],
  );
});
