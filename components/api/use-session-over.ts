"use client";

import { useSyncExternalStore } from "react";
import { isSessionOver, onSession } from "./sign-in-again";

/** Whether the session has ended, as far as this page has heard. A dialog that holds the page says so. */
export function useSessionOver(): boolean {
  return useSyncExternalStore(onSession, isSessionOver, () => false);
}
