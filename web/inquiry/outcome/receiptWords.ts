import { say } from '../../ui/language.ts';

const en = {
  title: 'Receipt',
  signed: 'signed',
  until: (at: string) => `signed, valid until ${at}`,
  ended: (at: string) => `signed, ended at ${at}`,
  of: 'Of',
  by: 'By',
  on: (who: string, device: string, passkey: boolean) => `${who}, on ${device}${passkey ? ', with a passkey' : ''}`,
  pickedUp: 'Picked up',
  shown: 'Shown',
  run: 'May run',
  copy: 'Copy the receipt',
  copied: 'Copied.',
  notCopied: 'This browser did not let the page copy it.',
  how: 'How to verify it',
};

const zh: typeof en = {
  title: '凭证',
  signed: '已签名',
  until: (at) => `已签名，${at} 前有效`,
  ended: (at) => `已签名，已于 ${at} 失效`,
  of: '内容',
  by: '决定者',
  on: (who, device, passkey) => `${who}，用 ${device}${passkey ? '，使用通行密钥' : ''}`,
  pickedUp: '已取走',
  shown: '所示内容',
  run: '可执行内容',
  copy: '复制凭证',
  copied: '已复制。',
  notCopied: '浏览器不允许此页面复制。',
  how: '如何验证',
};

/** The words of a receipt, in the page's language. */
export function receiptWords() {
  return say({ en, zh });
}
