/** Each server that a DATABASE_URL names, between commas as libpq reads them, as a URL of its own. */
export function splitServers(url: string): string[] {
  const [, start = '', hosts = url, rest = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.split(',').map((host) => `${start}${host}${rest}`);
}
