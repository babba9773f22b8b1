"use client";

import { useEffect, useEffectEvent, useRef } from "react";
import { useVault } from "./vault-provider";

/** Forgets what must not wait on the page for the next person, once the account is locked. */
export function useOnLock(forget: () => void): void {
  const { reads } = useVault();
  const before = useRef(reads);
  const forgetNow = useEffectEvent(forget);
  useEffect(() => {
    if (before.current && !reads) forgetNow();
    before.current = reads;
  }, [reads]);
}
