"use client";

import { useSyncExternalStore } from "react";
import { note, noted } from "@/components/api/browser/notes";
import { storageChanges } from "@/components/api/browser/storage-changes";
import type { VaultOwner } from "@/components/vault/protocol";

const changes = storageChanges("halcyon:totals-shown");

const nameOf = ({ network, address }: VaultOwner) => `halcyon.totals-shown.${network}.${address.toLowerCase()}`;

/** Returns when this browser last sent the service a proof of an account's totals (ISO 8601), or null. */
export function totalsShownAt(owner: VaultOwner): string | null {
  const at = noted("localStorage", nameOf(owner));
  return at !== null && Number.isNaN(Date.parse(at)) ? null : at;
}

/** Notes that a proof of the account's totals is being sent to the service, which then sees them. */
export function noteTotalsShown(owner: VaultOwner, now = new Date()): void {
  note("localStorage", nameOf(owner), now.toISOString());
  changes.report();
}

/**
 * Notes again what was noted before (`totalsShownAt`): the proof did not leave. Null if the service has never seen the
 * totals.
 */
export function restoreTotalsShown(owner: VaultOwner, before: string | null): void {
  note("localStorage", nameOf(owner), before);
  changes.report();
}

/** Returns the same as `totalsShownAt`, and again when it changes. Null on the server. */
export function useTotalsShownAt(owner: VaultOwner): string | null {
  return useSyncExternalStore(
    changes.subscribe,
    () => totalsShownAt(owner),
    () => null,
  );
}
