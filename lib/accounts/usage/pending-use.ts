/** Uses of one key on one UTC day that are not stored yet. */
export interface PendingUse {
  keyId: string;
  day: string;
  requests: number;
  lastUsedAt: Date;
}

interface Usage {
  /** Resolves when the last requested write has ended. */
  writing?: Promise<void>;
  pending: Map<string, PendingUse>;
  timer?: NodeJS.Timeout;
}

// Next.js bundles routes separately, so a module variable would give one count per bundle. A global gives one per
// process.
const shared = globalThis as typeof globalThis & { halcyonUsage?: Usage };

/** Returns the process's counts that are not stored yet. */
export function pendingUse(): Usage {
  shared.halcyonUsage ??= { pending: new Map() };
  return shared.halcyonUsage;
}
