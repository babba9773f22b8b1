import { afterEach, expect, test } from "vitest";
import { ApiCallError } from "@/sdk/api/errors";
import {
  hasSessionExpired,
  holdSignIn,
  isSessionOver,
  isSignInWanted,
  onSession,
  postponeSignIn,
  sessionIsBack,
  signInAfter,
  signInAgain,
} from "./sign-in-again";

const refusal = (reason?: string) => new ApiCallError("unauthorized", "Sign in.", { status: 401, reason });
const ended = refusal();

afterEach(() => sessionIsBack());

test("the wallet is asked once the session has ended, and no more once it has signed in again", () => {
  const heard: boolean[] = [];
  const stop = onSession((over) => heard.push(over));
  expect(isSignInWanted()).toBe(false);
  expect(signInAfter(new Error("anything else"))).toBe(false);
  expect(signInAfter(ended)).toBe(true);
  expect([isSessionOver(), isSignInWanted()]).toEqual([true, true]);
  sessionIsBack();
  expect([isSessionOver(), isSignInWanted()]).toEqual([false, false]);
  expect(heard).toEqual([true, false]);
  stop();
  signInAgain();
  expect(heard).toHaveLength(2);
});

test("a dialog that may have moved money is not covered, until it is closed or asks for it", () => {
  const release = holdSignIn();
  signInAfter(ended);
  expect(isSignInWanted()).toBe(false);
  signInAgain();
  expect(isSignInWanted()).toBe(true);
  postponeSignIn();
  expect(isSignInWanted()).toBe(false);
  release();
  // The person chose "not now": the page says that the session has ended, and no longer asks.
  expect(isSignInWanted()).toBe(false);
  signInAgain();
  expect(isSignInWanted()).toBe(true);
  sessionIsBack();

  const second = holdSignIn();
  signInAfter(ended);
  second();
  expect(isSignInWanted()).toBe(true);
});

test("a session ran out only where the service says so, and not once someone is known to have ended it", () => {
  const expired = refusal("session_expired");
  expect(hasSessionExpired()).toBe(false);
  signInAfter(expired);
  signInAgain();
  expect(hasSessionExpired()).toBe(true);
  signInAfter(ended);
  signInAfter(expired);
  expect(hasSessionExpired()).toBe(false);
  sessionIsBack();
  signInAfter(expired);
  expect(hasSessionExpired()).toBe(true);
});
