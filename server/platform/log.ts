import { pino, type Logger } from 'pino';
import { maskCredentials } from './credentials/masked.ts';

export type Log = Logger;

/** Structured lines on standard error (standard output belongs to the command); credentials never appear in them. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ['authorization', '*.authorization', 'token', '*.token', 'key', '*.key', 'secret', '*.secret'],
        censor: '[redacted]',
      },
      serializers: { err: pino.stdSerializers.err, url: redactUrl },
    },
    pino.destination({ dest: 2, sync: true }),
  );
}

/** A URL without what may be secret in it: credentials, and the token of `/v1/in/{token}`. */
export function redactUrl(url: string): string {
  return maskCredentials(url, '[redacted]').replace(/(\/v1\/in\/).+/, '$1[redacted]');
}
