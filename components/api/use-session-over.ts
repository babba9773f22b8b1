"use client";

import { useSyncExternalStore } from "react";
import { isSessionOver, onSession } from "./sign-in-again";

/** Returns whether this page knows that the session has ended. A dialog that holds the page shows it. */
export function useSessionOver(): boolean {
  return useSyncExternalStore(onSession, isSessionOver, () => false);
}
