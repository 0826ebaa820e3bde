/** The hub's own stamp, on what it asks itself. */
export const HUB_STAMP = { sourceId: 'beckon', name: 'Beckon' };
