/** A phone and a desktop. */
export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

/** The windows in which what a call does must be seen before it is approved: the smallest phone shows least. */
export const SEEN_IN = {
  'a small phone': { width: 320, height: 640 },
  'a desktop': { width: 1280, height: 800 },
};
