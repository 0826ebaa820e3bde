import { lostNodeContract } from '../testing/lost-node.contract.ts';

lostNodeContract('SQLite', (t, use) => use(t));
