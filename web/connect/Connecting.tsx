import { route } from '../app/route.ts';
import { Connect } from './Connect.tsx';
import { ToTheModel } from './ToTheModel.tsx';

/** What stands under Connect. */
export function Connecting() {
  const at = route.value;
  return at.page === 'connect' && at.id !== undefined ? <ToTheModel /> : <Connect />;
}
