import { interface as service, sessionBus, type Variant } from '@jellybrick/dbus-next';
import { Program } from '../hub/process.ts';
import { until } from '../hub/until.ts';

/** A notification as a desktop shows it. */
export type Card = {
  id: number;
  title: string;
  body: string;
  /** The buttons; that of the whole notification is called `default`. */
  buttons: { key: string; label: string }[];
  quiet: boolean;
};

/** A desktop for one browser: the notification daemon of a private D-Bus, with a hand to press what it shows. */
export type Desktop = {
  /** For the variable DBUS_SESSION_BUS_ADDRESS. */
  address: string;
  /** What it shows now. */
  cards(): Card[];
  /** All that it was ever told to show, in order. */
  shown: Card[];
  /** Resolves with the card when one with this title is shown. */
  card(title: string, ms?: number): Promise<Card>;
  press(card: Card, label: string): void;
  /** Presses the notification itself. */
  tap(card: Card): void;
  /** Wipes it away. */
  dismiss(card: Card): void;
  close(): Promise<void>;
};

const NAME = 'org.freedesktop.Notifications';
const BY_PERSON = 2;
const BY_CALL = 3;

/** Starts a bus of its own and the daemon of the Desktop Notifications Specification 1.2 on it. */
export async function startDesktop(): Promise<Desktop> {
  const daemon = new Program(['dbus-daemon', '--session', '--nofork', '--print-address']);
  const [address = ''] = await until('the address of the bus', () => /^unix:\S+/m.exec(daemon.out) ?? ended(daemon));
  const bus = sessionBus({ busAddress: address });
  const notifications = new Notifications(NAME);
  bus.export('/org/freedesktop/Notifications', notifications);
  await bus.requestName(NAME, 0);
  const { open, shown } = notifications;
  const invoke = ({ id, title }: Card, wanted: (button: Card['buttons'][number]) => boolean) => {
    const button = open.get(id)?.buttons.find(wanted);
    if (!button) throw new Error(`"${title}" has no such button, or is gone`);
    notifications.ActionInvoked(id, button.key);
  };
  return {
    address,
    cards: () => [...open.values()],
    shown,
    card: (title, ms) =>
      until(`the notification "${title}"`, () => [...open.values()].find((card) => card.title === title), ms),
    press: (card, label) => invoke(card, (button) => button.label === label),
    tap: (card) => invoke(card, ({ key }) => key === 'default'),
    dismiss({ id }) {
      if (open.delete(id)) notifications.NotificationClosed(id, BY_PERSON);
    },
    async close() {
      bus.disconnect();
      await daemon.end('SIGTERM');
    },
  };
}

function ended({ running, err }: Program): undefined {
  if (!running) throw new Error(`dbus-daemon ended: ${err}`);
}

// The methods and signals have the names of the specification.
class Notifications extends service.Interface {
  readonly open = new Map<number, Card>();
  readonly shown: Card[] = [];
  #lastId = 0;

  GetCapabilities() {
    return ['actions', 'body', 'persistence'];
  }

  GetServerInformation() {
    return ['desktop of the tests', 'beckon', '1', '1.2'];
  }

  Notify(
    _app: string,
    replaces: number,
    _icon: string,
    title: string,
    body: string,
    actions: string[],
    hints: Record<string, Variant>,
  ) {
    const id = replaces || ++this.#lastId;
    const buttons = actions.flatMap((key, index) =>
      index % 2 === 0 ? [{ key, label: actions[index + 1] ?? '' }] : [],
    );
    const card = { id, title, body, buttons, quiet: hints['suppress-sound']?.value === true };
    this.open.set(id, card);
    this.shown.push(card);
    return id;
  }

  CloseNotification(id: number) {
    if (this.open.delete(id)) this.NotificationClosed(id, BY_CALL);
  }

  NotificationClosed(id: number, reason: number) {
    return [id, reason];
  }

  ActionInvoked(id: number, key: string) {
    return [id, key];
  }
}

Notifications.configureMembers({
  methods: {
    GetCapabilities: { outSignature: 'as' },
    GetServerInformation: { outSignature: 'ssss' },
    Notify: { inSignature: 'susssasa{sv}i', outSignature: 'u' },
    CloseNotification: { inSignature: 'u' },
  },
  signals: { NotificationClosed: { signature: 'uu' }, ActionInvoked: { signature: 'us' } },
});
