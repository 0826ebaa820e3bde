/** A text in which no credential of the hub's can be read: of keys, device tokens, addresses of connections and secrets only the kind. */
export function maskCredentials(text: string, mask = '…'): string {
  return text.replace(/(bk[sdi]|whsec)_[\w+/=-]+/g, `$1_${mask}`);
}
