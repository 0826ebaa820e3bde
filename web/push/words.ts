const en = {
  offer: 'Beckon can ring this device while no page is open.',
  let: 'Let it ring',
  notNow: 'Not now',
  lost: 'This device has stopped ringing: the browser let go of it.',
  again: 'Ring again',
  refused: 'The browser gave no address to ring. Check its connection, and press once more.',
  asleep: 'Asking the browser.',
};

const zh: typeof en = {
  offer: '没有页面开着的时候，Beckon 也能在这台设备上响铃。',
  let: '让它响',
  notNow: '以后再说',
  lost: '这台设备不响了：浏览器收回了许可的地址。',
  again: '重新响铃',
  refused: '浏览器没有给出响铃的地址。看看网络，再按一次。',
  asleep: '正在问浏览器。',
};

/** Words of the offer that stands across the page. */
export const words = { en, zh };
