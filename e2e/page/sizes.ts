/** The windows in which what a call does must be seen before it is approved. */
export const SIZES = {
  'a phone': { width: 390, height: 844 },
  'a small phone': { width: 320, height: 640 },
  'a desktop': { width: 1280, height: 800 },
};
