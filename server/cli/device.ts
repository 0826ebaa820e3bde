import { parseOrRefuse } from '#shared/faults.ts';
import { ChangeDevice } from '#shared/wire.ts';
import { addDevice } from '../devices/admit.ts';
import { findPersonByHandle } from '../people/store.ts';
import { withHubData } from './hub-data.ts';
import { unknownHandle } from './person.ts';
import { EXIT, parse, UsageError, type Command } from './terminal.ts';

/** `device add HANDLE NAME`: a device's token for scripts and tests. */
export const device: Command = async (args, terminal) => {
  const { values, positionals } = parse(args, { json: { type: 'boolean' } });
  const [verb, handle, name, ...rest] = positionals;
  if (verb !== 'add' || handle === undefined || name === undefined || rest.length > 0) {
    throw new UsageError('Write "beckon device add HANDLE NAME [--json]".');
  }
  return withHubData(terminal, async ({ database }) => {
    const found = await findPersonByHandle(database.read, handle);
    if (!found) throw unknownHandle(handle);
    const { deviceId, accessToken } = await addDevice(database, found.id, parseOrRefuse(ChangeDevice, { name }).name);
    if (values.json) terminal.out.write(`${JSON.stringify({ deviceId, accessToken })}\n`);
    else
      terminal.out.write(
        `The device ${deviceId} ("${name}") of ${handle} is in. Its token is shown this once:\n${accessToken}\n`,
      );
    return EXIT.ok;
  });
};
