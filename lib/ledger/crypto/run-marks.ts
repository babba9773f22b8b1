import type { Address } from "viem";
import { hkdf } from "./hkdf";
import { REQUEST_TAG_LENGTH } from "./request-tag";
import type { Scope } from "./scope";

/** Which run of a schedule: its account, the schedule's id, and the date of its rule (`2026-11-30`). */
export interface RunRef {
  scope: Scope;
  account: Address;
  schedule: string;
  date: string;
}

/** What finds a run's payment, the same for everyone who may make it. */
export interface RunMarks {
  seed: Uint8Array;
  /** In the payer copy, where a request's tag stands otherwise. */
  tag: Uint8Array;
}

/**
 * Seed and tag of a run: of a secret that is encrypted with the schedule, the schedule and the date. Each runner that
 * decrypts the schedule makes the same note, which the ledger takes once, whatever key it holds. Neither the root nor
 * the account secret leads there: someone who learns that secret later, without the schedule's text, opens nothing.
 *
 * @param secret the 32 bytes of the schedule's part to which the date belongs
 */
export function runMarks(secret: Uint8Array, { scope, account, schedule, date }: RunRef): RunMarks {
  const extra = `${account.toLowerCase()}/${schedule}/${date}`;
  return {
    seed: hkdf(secret, "schedule run", scope, { extra }),
    tag: hkdf(secret, "schedule run tag", scope, { extra, length: REQUEST_TAG_LENGTH }),
  };
}
