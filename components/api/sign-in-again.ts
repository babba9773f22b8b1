/*
 * What happens when a session has ended: the wallet is asked for a signature over the page, which stays as it is. A
 * dialog that may have moved money holds that back until it is closed or asks for it: what is known of the money is said
 * first.
 */

let holds = 0;
let over = false;
/** Asked for, also where something holds the page. */
let wanted = false;
/** The person said not now: from then on the page says it, and does not ask. */
let postponed = false;
const listeners = new Set<(over: boolean) => void>();

function tell(): void {
  for (const listener of listeners) listener(over);
}

/**
 * The session has ended.
 *
 * @param options.now a person asks for it: also where something holds the page
 */
export function signInAgain(options: { now?: true } = {}): void {
  over = true;
  if (options.now) wanted = true;
  tell();
}

/** Not now: the page stays as it is, and says that the session has ended. */
export function postponeSignIn(): void {
  wanted = false;
  postponed = true;
  tell();
}

/** The wallet has signed in again, here or in another tab. */
export function sessionIsBack(): void {
  if (!over) return;
  over = false;
  wanted = false;
  postponed = false;
  tell();
}

/** Calls back whenever something about the session changes; returns what stops it. */
export function onSession(listener: (over: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the session has ended, as far as this page has heard: then the vault is locked as well. */
export function isSessionOver(): boolean {
  return over;
}

/** Whether the wallet is to be asked now. */
export function isSignInWanted(): boolean {
  return over && (wanted || (holds === 0 && !postponed));
}

/** Whether something holds the page now. */
export function isPageHeld(): boolean {
  return holds > 0;
}

/** Holds the page; returns what lets it go. */
export function holdSignIn(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
    tell();
  };
}
