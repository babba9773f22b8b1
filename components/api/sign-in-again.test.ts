import { afterEach, expect, test } from "vitest";
import {
  holdSignIn,
  isSessionOver,
  isSignInWanted,
  onSession,
  postponeSignIn,
  sessionIsBack,
  signInAgain,
} from "./sign-in-again";

afterEach(() => sessionIsBack());

test("the wallet is asked once the session has ended, and no more once it has signed in again", () => {
  const heard: boolean[] = [];
  const stop = onSession((over) => heard.push(over));
  expect(isSignInWanted()).toBe(false);
  signInAgain();
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
  signInAgain();
  expect(isSignInWanted()).toBe(false);
  signInAgain({ now: true });
  expect(isSignInWanted()).toBe(true);
  postponeSignIn();
  expect(isSignInWanted()).toBe(false);
  release();
  // Someone said not now: the page says it, and asks no more by itself.
  expect(isSignInWanted()).toBe(false);
  signInAgain({ now: true });
  expect(isSignInWanted()).toBe(true);
  sessionIsBack();

  const second = holdSignIn();
  signInAgain();
  second();
  expect(isSignInWanted()).toBe(true);
});
