/*
 * What happens when the session has ended: a dialog over the unchanged page asks the wallet to sign in again. A dialog
 * that may have moved money delays this until it closes or asks for the sign-in itself, so that the person first reads
 * what is known about the money.
 */

import { isSessionExpired, isSignedOut } from "./session-errors";

let holds = 0;
let over = false;
/** Whether the service said that the session timed out, as opposed to someone ending it. */
let expired = false;
/** Whether the person asked to sign in. Takes precedence over holds. */
let wanted = false;
/** Whether the person chose "not now": the page then says that the session has ended, but does not ask. */
let postponed = false;
const listeners = new Set<(over: boolean) => void>();

function tell(): void {
  for (const listener of listeners) listener(over);
}

/** Asks the wallet to sign in again if the error says that the session has ended. Returns whether it does. */
export function signInAfter(error: unknown): boolean {
  if (!isSignedOut(error)) return false;
  // Once someone is known to have ended the session, a later time-out does not change that.
  expired = isSessionExpired(error) && (expired || !over);
  over = true;
  tell();
  return true;
}

/** Asks for the sign-in because the person wants it, even while a dialog holds the page. */
export function signInAgain(): void {
  over = true;
  wanted = true;
  tell();
}

/** Postpones the sign-in: the page stays as it is and says that the session has ended. */
export function postponeSignIn(): void {
  wanted = false;
  postponed = true;
  tell();
}

/** Resets everything: the wallet has signed in again, here or in another tab. */
export function sessionIsBack(): void {
  if (!over) return;
  over = false;
  expired = false;
  wanted = false;
  postponed = false;
  tell();
}

/** Calls the listener whenever the state of the session changes. Returns a function that unsubscribes. */
export function onSession(listener: (over: boolean) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether the session timed out. Then one signature continues it, and nothing is lost. */
export function hasSessionExpired(): boolean {
  return over && expired;
}

/** Returns whether this page knows that the session has ended. */
export function isSessionOver(): boolean {
  return over;
}

/** Returns whether to ask the wallet now. */
export function isSignInWanted(): boolean {
  return over && (wanted || (holds === 0 && !postponed));
}

/** Returns whether a dialog holds the page. */
export function isPageHeld(): boolean {
  return holds > 0;
}

/** Holds the page, so that the sign-in waits. Returns a function that releases it. */
export function holdSignIn(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
    tell();
  };
}
