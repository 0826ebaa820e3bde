import { route } from '../../app/route.ts';
import { Sources } from '../Sources.tsx';
import { OneSource } from './OneSource.tsx';

/** Every source, or the one that the address names. */
export function SourcePlace() {
  const at = route.value;
  return at.page === 'sources' && at.id !== undefined ? <OneSource key={at.id} id={at.id} /> : <Sources />;
}
