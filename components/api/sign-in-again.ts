/*
 * The way to the sign-in when a session has ended. A dialog that may have moved money holds the page until it is
 * closed: what is known of the money is said first.
 */

let holds = 0;
let wanted = false;
const listeners = new Set<() => void>();

/** The address of the sign-in that comes back to this page. */
export function signInHref(): string {
  return `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`;
}

function leave(): void {
  location.assign(signInHref());
}

/** Goes to the sign-in, which comes back to this page; at once, or when nothing holds the page any more. */
export function signInAgain(): void {
  wanted = true;
  if (holds === 0) leave();
  for (const listener of listeners) listener();
}

/** Calls back when the session has ended; returns what stops it. */
export function onSessionOver(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the session has ended, as far as this page has heard: then the vault is locked as well. */
export function isSessionOver(): boolean {
  return wanted;
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
    if (holds === 0 && wanted) leave();
  };
}
