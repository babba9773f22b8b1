/** Uses of one key on one UTC day that are not written yet. */
export interface PendingUse {
  keyId: string;
  day: string;
  requests: number;
  lastUsedAt: Date;
}

interface Usage {
  /** Ends when the last write that was asked for has. */
  writing?: Promise<void>;
  pending: Map<string, PendingUse>;
  timer?: NodeJS.Timeout;
}

// Next bundles routes separately: one count per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonUsage?: Usage };

/** The process's unwritten counts. */
export function pendingUse(): Usage {
  shared.halcyonUsage ??= { pending: new Map() };
  return shared.halcyonUsage;
}
