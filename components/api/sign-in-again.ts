/*
 * What happens when a session has ended: the wallet is asked for a signature over the page, which stays as it is. A
 * dialog that may have moved money holds that back until it is closed or asks for it: what is known of the money is said
 * first.
 */

import { isSessionExpired, isSignedOut } from "./session-errors";

let holds = 0;
let over = false;
/** The service says that it ran out by itself: no one ended it. */
let expired = false;
/** Asked for, also where something holds the page. */
let wanted = false;
/** The person said not now: from then on the page says it, and does not ask. */
let postponed = false;
const listeners = new Set<(over: boolean) => void>();

function tell(): void {
  for (const listener of listeners) listener(over);
}

/** Where an error says that the session has ended, the wallet is asked to sign in again; returns whether it does. */
export function signInAfter(error: unknown): boolean {
  if (!isSignedOut(error)) return false;
  // Once it is known to have been ended by someone, that is what it is.
  expired = isSessionExpired(error) && (expired || !over);
  over = true;
  tell();
  return true;
}

/** A person asks for the signature: also where something holds the page. */
export function signInAgain(): void {
  over = true;
  wanted = true;
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
  expired = false;
  wanted = false;
  postponed = false;
  tell();
}

/** Calls back whenever something about the session changes; returns what stops it. */
export function onSession(listener: (over: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether it ran out by itself: then a signature continues it, and nothing is lost. */
export function hasSessionExpired(): boolean {
  return over && expired;
}

/** Whether the session has ended, as far as this page has heard. */
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
