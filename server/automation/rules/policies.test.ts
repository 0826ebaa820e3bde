import { addDevice } from '../../devices/admit.ts';
import { openScene } from '../../devices/testing/scene.ts';
import { policiesContract } from './policies.contract.ts';
import { policyRoutes } from './routes.ts';

policiesContract({
  open: (context) => openScene(context, { routes: (app, database) => policyRoutes(app, { database }) }),
  device: async ({ database }, personId) => (await addDevice(database, personId, 'Phone')).accessToken,
});
