// Next bundles routes separately, and the server in front is no bundle at all: what they share wants a place outside.
const shared = globalThis as typeof globalThis & { halcyonStopping?: boolean };

/** Says that this process is about to stop: it still serves, and asks to be sent nothing more. */
export function announceStop(): void {
  shared.halcyonStopping = true;
}

/** Whether this process is about to stop. */
export const isStopping = (): boolean => shared.halcyonStopping === true;
