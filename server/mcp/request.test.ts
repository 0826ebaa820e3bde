import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '#shared/problem.ts';
import { refuseForeign } from './request.ts';

const own = {
  urls: () => ['https://beckon.example', 'http://node-1:4275', undefined],
  origins: () => ['https://beckon.example'],
};

function verdict(host: string | undefined, origin?: string): string {
  try {
    refuseForeign({ ...(host === undefined ? {} : { host }), ...(origin === undefined ? {} : { origin }) }, own);
    return 'taken';
  } catch (error) {
    return error instanceof AppError ? `${error.status} ${error.code}` : String(error);
  }
}

test('[SEC1] a host is the hub’s own by its names, as localhost, or as an address, which nobody can rebind', () => {
  const hosts = [
    'beckon.example',
    'BECKON.example:443',
    'node-1:4275',
    'localhost:1',
    '127.0.0.1:4275',
    '[::1]:4275',
    '10.0.0.5',
  ];
  deepStrictEqual(
    hosts.map((host) => verdict(host)),
    hosts.map(() => 'taken'),
  );
  const foreign = [
    undefined,
    '',
    'evil.example',
    'beckon.example.evil.example',
    'localhost.evil.example',
    'a b',
    '::1',
    'x@beckon.example',
  ];
  deepStrictEqual(
    foreign.map((host) => verdict(host)),
    foreign.map(() => '403 host.refused'),
  );
});

test('[SEC1] an origin is ours or none', () => {
  deepStrictEqual(
    ['https://beckon.example', 'https://beckon.example.', 'http://beckon.example', 'null', ''].map((origin) =>
      verdict('beckon.example', origin),
    ),
    ['taken', ...Array.from({ length: 4 }, () => '403 origin.refused')],
  );
});
