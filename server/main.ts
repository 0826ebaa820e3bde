import { AppError } from '#shared/problem.ts';
import { createApp, type AppOptions } from './app.ts';
import { welcome } from './cli/welcome.ts';
import { ensureOwner } from './people/owner.ts';
import { openDatabase } from './platform/engines/open.ts';
import { createLog } from './platform/log.ts';
import { toDatabaseOptions, readSettings, SettingsError, VERSION } from './platform/settings.ts';

const STOP_WITHIN_MS = 12_000;

/** Runs the hub until SIGTERM or SIGINT. What keeps it from starting is told in one sentence, with exit code 1. */
export async function serve(env: NodeJS.ProcessEnv, options: AppOptions = {}): Promise<void> {
  try {
    const settings = readSettings(env, { serves: true });
    const log = createLog(settings.LOG_LEVEL);
    const database = await openDatabase({ ...toDatabaseOptions(settings), log });
    const stopSpans =
      settings.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : await (await import('./platform/spans.ts')).startSpans(log, VERSION);
    const app = await createApp(settings, database, log, options);
    const publicUrl = await app.start();
    stopOnSignal(() => app.stop().then(stopSpans)); // Before the greeting, whose reader may stop the hub at once.
    await welcome({ settings, database, publicUrl, owner: await ensureOwner(database) }, process.stdout);
  } catch (error) {
    end(error);
  }
}

function end(error: unknown): never {
  process.stderr.write(`${toSentence(error)}\n`);
  process.exit(1);
}

function stopOnSignal(stop: () => Promise<void>): void {
  let since: number | undefined;
  const onSignal = (): void => {
    // The same stop comes twice where a group is told and a parent passes it on; later it means "now".
    if (since !== undefined && performance.now() - since < 1_000) return;
    if (since !== undefined) process.exit(1);
    since = performance.now();
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    void stop().then(() => process.exit(0));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

function toSentence(error: unknown): string {
  if (error instanceof SettingsError || error instanceof AppError) return error.message;
  const { code, port, address, message, stack } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE') return `Port ${port} is in use; stop what listens there or set PORT to another one.`;
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} needs more rights than this account has; set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL') return `This machine has no address ${address}; set HOST to one it has.`;
  return code === undefined ? (stack ?? message) : `The hub could not start: ${message}.`;
}

if (import.meta.main) await serve(process.env);
