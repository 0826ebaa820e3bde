import './app.css';
import { joining, session } from '../live/session.ts';
import { Boundary } from '../ui/Boundary.tsx';
import { AppShell } from './AppShell.tsx';
import { lazy } from './lazy.tsx';
import { route } from './route.ts';
import { Stopped } from './Stopped.tsx';

const SignIn = lazy(() => import('../sign-in/SignIn.tsx').then(({ SignIn: ready }) => ready));
const EnrollByLink = lazy(() => import('../sign-in/EnrollByLink.tsx').then(({ EnrollByLink: ready }) => ready));

/** The whole page: signed out a sign-in card, signed in the app shell. */
export function Beckon() {
  return (
    <Boundary otherwise={<Stopped />}>
      <Page />
    </Boundary>
  );
}

function Page() {
  const now = session.value;
  const at = route.value;
  if (now.state === 'reading') return null;
  if (at.page === 'enroll' || joining.value) return <EnrollByLink />;
  return now.state === 'out' ? <SignIn /> : <AppShell />;
}
