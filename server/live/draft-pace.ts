const MS_BETWEEN = 500;

/** Lets through at most 2 drafts a second of each device and inquiry. One map for the node, emptied as it ages. */
export function createDraftPace(): {
  allows(deviceId: string, inquiryId: string, now: number): boolean;
  forget(now: number): void;
} {
  const last = new Map<string, number>();
  return {
    allows(deviceId, inquiryId, now) {
      const name = `${deviceId} ${inquiryId}`;
      if (now - (last.get(name) ?? -Infinity) < MS_BETWEEN) return false;
      last.set(name, now);
      return true;
    },
    forget(now) {
      for (const [name, at] of last) if (now - at >= MS_BETWEEN) last.delete(name);
    },
  };
}
