/** Says in words why a file's text is not changed: what is wrong with it, and on which line. */
export class CannotChange extends Error {}
