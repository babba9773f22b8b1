/*
 * Notes that this browser keeps for an account until its owner signs out, for example filters that got a name: they
 * name people whom the account pays.
 */
import { note, notedNames } from "./notes";

const startOf = (owner: string) => `halcyon.filters.${owner.toLowerCase()}.`;

/** Returns the local-storage name of a list's saved filters. */
export const filtersNote = (owner: string, path: string) => `${startOf(owner)}${path}`;

/** Deletes an account's notes. */
export function deleteAccountNotes(owner: string): void {
  for (const name of notedNames("localStorage")) if (name.startsWith(startOf(owner))) note("localStorage", name, null);
}
