const WALKS = /^(Arrow.*|[jk])$/;

/** True for what a key does again while it is held down: one press decides, closes and puts away once. Keys that walk go on. */
export function isHeld({ key, repeat }: Pick<KeyboardEvent, 'key' | 'repeat'>): boolean {
  return repeat && !WALKS.test(key);
}
