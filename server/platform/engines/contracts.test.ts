import { runContracts } from '../testing/contracts.ts';

runContracts('SQLite', async () => undefined);
