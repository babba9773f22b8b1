import type { Address } from "viem";
import { hkdf } from "./hkdf";
import { REQUEST_TAG_LENGTH } from "./request-tag";
import type { Scope } from "./scope";

/**
 * Identifies a run of a schedule: its account, the schedule's id, and the run's date by the schedule's rule
 * (`2026-11-30`).
 */
interface RunRef {
  scope: Scope;
  account: Address;
  schedule: string;
  date: string;
}

/** What identifies a run's payment, the same for every client that may pay it. */
export interface RunMarks {
  seed: Uint8Array;
  /** In the payer's copy, in place of a request's tag. */
  tag: Uint8Array;
}

/**
 * Derives seed and tag of a run from the schedule, the date, and a secret that is encrypted with the schedule. Every
 * client that can decrypt the schedule creates the same note, whatever key it has, and the ledger accepts the note only
 * once. The secret is derived from neither the account key nor the account secret: someone who learns the account
 * secret later, without the schedule's text, can't decrypt anything.
 *
 * @param secret the 32 bytes of the part of the schedule to which the date belongs
 */
export function runMarks(secret: Uint8Array, { scope, account, schedule, date }: RunRef): RunMarks {
  const extra = `${account.toLowerCase()}/${schedule}/${date}`;
  return {
    seed: hkdf(secret, "schedule run", scope, { extra }),
    tag: hkdf(secret, "schedule run tag", scope, { extra, length: REQUEST_TAG_LENGTH }),
  };
}
