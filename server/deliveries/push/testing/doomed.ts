import { openDatabase } from '../../../platform/engines/open.ts';
import { createOutbound } from '../../../platform/outbound/post.ts';
import { openScene } from './scene.ts';

/** What the script is told, as JSON. */
export type Doomed = { dataDir: string; endpoint: string; p256dh: string; auth: string };

/** A hub's sender that is killed while it sends: wants one push to the endpoint it is given, prints its id and begins. */
const { dataDir, ...browser } = JSON.parse(process.argv[2] ?? '') as Doomed;
const place = await openScene(await openDatabase({ dataDir }));
await place.device();
await place.database.transaction((trx) => trx.updateTable('subscriptions').set(browser).execute());
process.stdout.write(await place.ask());
const outbound = createOutbound({ permit: () => true });
await (await place.pusher({ post: outbound.post })).runDue();
