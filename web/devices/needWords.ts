const en = {
  title: 'Phones need https',
  cameBy: 'This page came by',
  local: ', which opens only on this computer. Without https a phone shows no notifications.',
  plain: '. Without https a phone shows no notifications, and an iPhone cannot keep Beckon on its Home Screen.',
  openThere: 'Open it there by',
  dot: ' · ',
  tailscale: 'With Tailscale',
  tailscaleSay: 'your own devices only, no domain. Then start the hub with that name.',
  domain: 'With a domain',
  domainSay: 'from anywhere, Caddy fetches the certificate. Then start the hub with that name.',
  copyCommands: (way: string) => `Copy the commands: ${way}`,
  newAddress: 'Then enter the new address',
  check: 'Check address',
  verdicts: {
    ok: () => '',
    local: (address: string) => `${address} opens only on this computer.`,
    plain: (address: string) => `${address} has no https.`,
    other: (address: string, own: string) =>
      `The hub was started for ${own}. Start it again with PUBLIC_URL=${address}, then check again.`,
    unreachable: (address: string, why: string) =>
      `The hub did not answer at ${address} (${why}). See whether Tailscale or the proxy runs, then check again.`,
    unreadable: (address: string) => `“${address}” is no address. It looks like https://beckon.example.com.`,
  },
  sameNetwork: 'Same network only, without notifications?',
  anyway: (address: string) => `Use ${address}`,
};

const zh: typeof en = {
  title: '手机需要 https',
  cameBy: '这个页面来自',
  local: '，只能在本机打开。没有 https，手机收不到通知。',
  plain: '。没有 https，手机收不到通知，iPhone 也不能把 Beckon 留在主屏幕上。',
  openThere: '在手机上打开',
  dot: ' · ',
  tailscale: '用 Tailscale',
  tailscaleSay: '只有你自己的设备能打开，不需要域名。然后用那个名字启动服务端。',
  domain: '用域名',
  domainSay: '从哪里都能打开，Caddy 会取得证书。然后用那个名字启动服务端。',
  copyCommands: (way) => `复制命令：${way}`,
  newAddress: '然后输入新地址',
  check: '检查地址',
  verdicts: {
    ok: () => '',
    local: (address) => `${address} 只能在本机打开。`,
    plain: (address) => `${address} 没有 https。`,
    other: (address, own) => `服务端是用 ${own} 启动的。请用 PUBLIC_URL=${address} 重新启动，再检查一次。`,
    unreachable: (address, why) =>
      `服务端在 ${address} 没有应答（${why}）。看看 Tailscale 或反向代理是否在运行，再检查一次。`,
    unreadable: (address) => `“${address}”不是地址。地址像这样：https://beckon.example.com。`,
  },
  sameNetwork: '只在同一网络里用，不要通知？',
  anyway: (address) => `使用 ${address}`,
};

export const needWords = { en, zh };
