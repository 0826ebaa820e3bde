/** The places of the page, each at `/` and its name; the inbox is at `/`. */
export const PLACES = [
  'history',
  'automation',
  'attention',
  'devices',
  'passkeys',
  'connect',
  'sources',
  'connections',
  'settings',
  'rules',
  'yolo',
  'deciders',
  'quiet',
  'steps',
  'share',
] as const;

/** The places that also have something at `/place/id`. */
export const PLACES_OF_MANY = ['connect', 'sources', 'connections'] as const;
