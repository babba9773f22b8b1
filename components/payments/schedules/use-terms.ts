"use client";

import type { ShownTerms } from "@/components/vault/methods/schedules";
import { type Opened, useOpened } from "@/components/vault/vault-provider";

/** Decrypts what the account's schedules pay, while it is unlocked. */
export function useTerms(): Opened<Record<string, ShownTerms | null>> {
  return useOpened("openSchedules", undefined as never);
}
