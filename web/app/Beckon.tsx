import './app.css';
import { Component, type ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { joining, session } from '../live/session.ts';
import { keepStored } from '../live/stored.ts';
import { say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { AppShell } from './AppShell.tsx';
import { lazy } from './lazy.tsx';
import { route } from './route.ts';
import { words } from './words.ts';

const SignIn = lazy(() => import('../sign-in/SignIn.tsx').then(({ SignIn: ready }) => ready));
const EnrollByLink = lazy(() => import('../sign-in/EnrollByLink.tsx').then(({ EnrollByLink: ready }) => ready));

/** The whole page: signed out a sign-in card, signed in the app shell. */
export function Beckon() {
  return (
    <Guard>
      <Page />
    </Guard>
  );
}

function Page() {
  const now = session.value;
  const at = route.value;
  if (now.state === 'reading') return null;
  if (at.page === 'enroll' || joining.value) return <EnrollByLink />;
  return now.state === 'out' ? <SignIn /> : <AppShell />;
}

class Guard extends Component<{ children: ComponentChildren }, { failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error(error);
    // What was kept of what the hub said may be damaged, and would stop the page again.
    for (const key of ['open', 'me']) void keepStored(key, undefined);
  }

  override render() {
    return this.state.failed ? <Stopped /> : this.props.children;
  }
}

function Stopped() {
  const t = say(words);
  useEffect(() => {
    document.title = `${t.failedTitle} Beckon`;
  }, [t]);
  // No sign-in card: what that is drawn with is fetched with the pages of the sign-in.
  return (
    <main class="stage">
      <section class="sign-in-card">
        <div>
          <h1 class="head">{t.failedTitle}</h1>
          <p class="lede">{t.failedSay}</p>
        </div>
        <div class="bar-do">
          <Button onPress={() => location.reload()}>{t.loadAgain}</Button>
        </div>
      </section>
    </main>
  );
}
