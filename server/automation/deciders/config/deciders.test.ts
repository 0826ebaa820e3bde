import { addDevice } from '../../../devices/admit.ts';
import { openScene } from '../../../devices/testing/scene.ts';
import { decidersContract } from './deciders.contract.ts';
import { deciderRoutes } from './routes.ts';

const sealingKey = Buffer.alloc(32, 7);

decidersContract({
  open: (context) => openScene(context, { routes: (app, database) => deciderRoutes(app, { database, sealingKey }) }),
  device: async ({ database }, personId) => (await addDevice(database, personId, 'Phone')).accessToken,
});
