"use client";

import type { ShownTerms } from "@/components/vault/methods/schedules";
import { type DecryptedQuery, useDecrypted } from "@/components/vault/vault-provider";

/** Decrypts what the account's schedules pay, while it is unlocked. */
export function useTerms({ enabled = true } = {}): DecryptedQuery<Record<string, ShownTerms | null>> {
  return useDecrypted("decryptSchedules", undefined as never, { enabled });
}
