/*
 * Whether the service responds to this browser. Nothing polls while all is well: what waits long, fails or breaks says
 * so with `doubtService`, and from then on the service is asked until it responds.
 */

import { ApiCallError, NoResponse } from "@/sdk/api/errors";

/** How long something may take before the service is asked whether it responds, in milliseconds. */
export const DOUBT_MS = 1_500;
/** How long the service may take to say that it is ready. With `DOUBT_MS` well under the bar's five seconds. */
const READY_MS = 2_000;
/** A restart takes a moment: a refusal counts once it has been repeated. */
const FIRST_PAUSE_MS = 1_000;
/** How often a silent service is asked. */
export const PAUSE_MS = 5_000;

let silent = false;
let watching = false;
let endPause = () => {};
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (next === silent) return;
  silent = next;
  for (const listener of listeners) listener();
}

/** Whether it responds; null if it took too long. */
async function responds(): Promise<boolean | null> {
  const signal = AbortSignal.timeout(READY_MS);
  return fetch("/readyz", { cache: "no-store", signal }).then(
    ({ status }) => status < 500,
    () => (signal.aborted ? null : false),
  );
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

/** Asks the service whether it responds, and again until it does. Resolves then. */
export async function doubtService(): Promise<void> {
  if (watching) return;
  watching = true;
  for (let tries = 1; ; tries++) {
    const ready = await responds();
    if (ready) break;
    if (tries > 1 || ready === null) set(true);
    await pause(silent ? PAUSE_MS : FIRST_PAUSE_MS);
  }
  watching = false;
  set(false);
}

/** Asks the silent service at once, instead of after the pause. */
export function askServiceNow(): void {
  endPause();
}

/**
 * Returns whether the service responds at this moment. If it does not, it is silent until it does: listeners then ask
 * again for what was not loaded, also if it missed this one question only.
 */
export async function serviceResponds(): Promise<boolean> {
  if (silent) return false;
  if (await responds()) return true;
  set(true);
  void doubtService();
  return false;
}

/** Returns whether the service is known not to respond. */
export function isServiceSilent(): boolean {
  return silent;
}

/** Calls the listener whenever the service falls silent or responds again. Returns a function that unsubscribes. */
export function onService(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether an error says that there was no response, or none of the service's own. */
export function isNoResponse(error: unknown): boolean {
  if (error instanceof ApiCallError) return error.status >= 500 && (error.code === "unavailable" || !error.requestId);
  return error instanceof NoResponse;
}

/** Passes a request on, and has the service asked whether it responds if this takes long or fails without a response. */
export async function watched<T>(request: Promise<T>): Promise<T> {
  const timer = setTimeout(() => void doubtService(), DOUBT_MS);
  try {
    const response = await request;
    // The next time it is asked may be seconds away.
    if (silent) askServiceNow();
    return response;
  } catch (error) {
    if (isNoResponse(error)) void doubtService();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
