import { lazy } from '../app/lazy.tsx';

/** How many have approved, fetched where several people have to. */
export const HandsLine = lazy(() => import('./HandsList.tsx').then(({ HandsLine: ready }) => ready));
