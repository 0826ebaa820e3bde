import { Message, type MessageBus, sessionBus, type Variant } from '@jellybrick/dbus-next';
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
  press(card: Card, label: string): void;
  /** Writes into the field of a notification that has one. */
  write(card: Card, words: string): void;
  /** Presses the notification itself. */
  tap(card: Card): void;
  /** Wipes it away. */
  dismiss(card: Card): void;
  close(): Promise<void>;
};

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
// Why a notification was closed.
const BY_PERSON = 2;
const BY_CALL = 3;

/** Starts a bus of its own and the daemon of the Desktop Notifications Specification 1.2 on it. */
export async function startDesktop(): Promise<Desktop> {
  const daemon = new Program(['dbus-daemon', '--session', '--nofork', '--print-address']);
  const [address = ''] = await until('the address of the bus', () => /^unix:\S+/m.exec(daemon.out) ?? ended(daemon));
  const bus = sessionBus({ busAddress: address });
  const open = new Map<number, Card>();
  const shown: Card[] = [];
  const signal = (name: string, signature: string, ...body: unknown[]) =>
    bus.send(Message.newSignal(PATH, NAME, name, signature, body));
  const remove = (id: number, reason: number) => {
    if (open.delete(id)) signal('NotificationClosed', 'uu', id, reason);
  };
  await serve(bus, {
    GetCapabilities: () => ['as', ['actions', 'body', 'inline-reply', 'persistence']],
    GetServerInformation: () => ['ssss', 'desktop of the tests', 'beckon', '1', '1.2'],
    Notify(...told) {
      const card = cardOf(shown.length + 1, told);
      open.set(card.id, card);
      shown.push(card);
      return ['u', card.id];
    },
    CloseNotification(id) {
      remove(Number(id), BY_CALL);
      return [''];
    },
  });
  const invoke = ({ id, title }: Card, wanted: (button: Card['buttons'][number]) => boolean) => {
    const button = open.get(id)?.buttons.find(wanted);
    if (!button) throw new Error(`"${title}" has no such button, or is gone`);
    signal('ActionInvoked', 'us', id, button.key);
  };
  return {
    address,
    cards: () => [...open.values()],
    shown,
    press: (card, label) => invoke(card, (button) => button.label === label),
    write: ({ id }, words) => signal('NotificationReplied', 'us', id, words),
    tap: (card) => invoke(card, ({ key }) => key === 'default'),
    dismiss: ({ id }) => remove(id, BY_PERSON),
    async close() {
      bus.disconnect();
      await daemon.end('SIGTERM');
    },
  };
}

function ended({ running, err }: Program): undefined {
  if (!running) throw new Error(`dbus-daemon ended: ${err}`);
}

type Method = (...told: unknown[]) => [signature: string, ...reply: unknown[]];

async function serve(bus: MessageBus, methods: Record<string, Method>): Promise<void> {
  bus.addMethodHandler((call) => {
    const method = call.interface === NAME ? methods[call.member] : undefined;
    if (!method) return false;
    const [signature, ...reply] = method(...call.body);
    bus.send(Message.newMethodReturn(call, signature, reply));
    return true;
  });
  await bus.requestName(NAME);
}

// The arguments of Notify, signature susssasa{sv}i.
function cardOf(next: number, told: unknown[]): Card {
  const [, replaces, , title, body, actions, hints] = told as [
    app: string,
    replaces: number,
    icon: string,
    title: string,
    body: string,
    actions: string[],
    hints: Record<string, Variant>,
  ];
  const buttons = actions.flatMap((key, index) => (index % 2 === 0 ? [{ key, label: actions[index + 1] ?? '' }] : []));
  return { id: replaces || next, title, body, buttons, quiet: hints['suppress-sound']?.value === true };
}
