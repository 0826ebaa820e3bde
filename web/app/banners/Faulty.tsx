import { faults, note } from '../../live/faults.ts';
import { waiting } from '../../live/inquiries.ts';
import { connection, lostAt, sendNow } from '../../live/store.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Quiet } from '../../ui/Button.tsx';
import { say } from '../../ui/language.ts';
import { clockTime } from '../../ui/times.ts';

/** Says what is wrong with this device or its network, and what to do about it; with the line that is lost, in one. */
export function Faulty() {
  const t = say(own);
  const offline = connection.value === 'offline';
  const count = waiting.value.queue.length;
  const { value: now } = faults;
  const polled = now.has('polled');
  const fine = () => now.forEach((fault) => note(fault, false));
  return (
    // Not folded: these words are few, and our own.
    <div class="banner banner--quiet" role="status">
      <Icon name={offline || polled ? 'offline' : 'gone'} />
      <p>
        {now.has('unkept') && <b>{t.unkept} </b>}
        {now.has('portal')
          ? t.portal
          : polled
            ? t.polled
            : offline && t.offlineSince(clockTime(lostAt.value ?? Date.now()))}{' '}
        {now.has('damaged') && t.damaged} {now.has('undoneHere') && t.undoneHere}{' '}
        {offline && count > 0 && <b>{t.waits(count)}</b>}
      </p>
      <Quiet onPress={offline || polled ? sendNow : fine}>{offline || polled ? t.tryNow : t.fine}</Quiet>
    </div>
  );
}

const en = {
  offlineSince: (time: string) => `Offline since ${time}. Your answers are sent when the hub is back.`,
  waits: (count: number) => `${count} ${count === 1 ? 'answer' : 'answers'} to send.`,
  tryNow: 'Try now',
  fine: 'OK',
  unkept: 'This browser keeps nothing: leave the page open until all is sent.',
  portal: 'This network wants a sign-in: open any web page for it. Answers are sent after that.',
  polled: 'No live updates come through: this page looks for questions every few seconds. Answers are sent as always.',
  undoneHere:
    'An answer was taken back on this page only: this browser could not note it. Close its other pages of Beckon, which may still send it.',
  damaged: 'A kept answer was damaged and is not sent. What is left of it stands in its question.',
};

const zh: typeof en = {
  offlineSince: (time) => `${time} 起离线。恢复连接后自动发送答复。`,
  waits: (count) => `${count} 份答复待发送。`,
  tryNow: '立即重试',
  fine: '好',
  unkept: '浏览器无法保存内容：全部发送前请不要关闭页面。',
  portal: '这个网络要求先登录。随便打开一个网页完成登录，之后会自动发送答复。',
  polled: '收不到实时更新：页面每隔几秒查看一次新问题。答复照常发送。',
  undoneHere: '一份答复只在这个页面上撤销了：浏览器无法记下这一点。请关闭其他 Beckon 页面，否则它们仍可能发送。',
  damaged: '这台设备上保存的一份答复已损坏，没有发送。能读出的内容已放回原来的问题。',
};

const own = { en, zh };
