import { openDatabase } from '../../../platform/database.ts';
import { createOutbound } from '../../../platform/outbound/post.ts';
import { openScene } from './scene.ts';

/** A hub's sender that is killed while it sends: wants one push to the endpoint it is given and begins. */
const [dataDir = '', endpoint = '', p256dh = '', auth = ''] = process.argv.slice(2);
const place = await openScene(await openDatabase({ dataDir }));
await place.device();
await place.database.transaction((trx) => trx.updateTable('subscriptions').set({ endpoint, p256dh, auth }).execute());
process.stdout.write(await place.ask());
const outbound = createOutbound({ permit: () => true });
await (await place.pusher({ post: outbound.post })).runDue();
