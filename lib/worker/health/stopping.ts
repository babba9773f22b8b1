// Next bundles routes separately, and the server in front is not bundled at all. Keep the shared flag on globalThis.
const shared = globalThis as typeof globalThis & { halcyonStopping?: boolean };

/**
 * Announces that this process is about to stop. It still serves requests, but asks load balancers to send no new ones.
 */
export function announceStop(): void {
  shared.halcyonStopping = true;
}

/** Reports whether this process is about to stop. */
export const isStopping = (): boolean => shared.halcyonStopping === true;
