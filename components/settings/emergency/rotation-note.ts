import { filtersNote } from "@/components/api/browser/account-notes";
import { note, noted } from "@/components/api/browser/notes";
import type { Network } from "@/lib/base/network";

/** The note of this browser that an account's rotation was begun, without anything secret. Signing out deletes it. */
const nameOf = (network: Network, address: string) => filtersNote(address, `rotation.${network}`);

/** Returns when a rotation was begun that has not ended, ISO 8601, or null. */
export const rotationBegun = (network: Network, address: string) => noted("localStorage", nameOf(network, address));

/** Notes that a rotation begins. */
export function noteRotation(network: Network, address: string, now = new Date()): void {
  note("localStorage", nameOf(network, address), now.toISOString());
}

/** Deletes the note: everything is done, or nothing was changed. */
export function forgetRotation(network: Network, address: string): void {
  note("localStorage", nameOf(network, address), null);
}
