import type { Address } from "viem";
import { toHex } from "./bytes";
import { LedgerError } from "./errors";
import { hkdf } from "./hkdf";
import { newSeed } from "./payment-seed";
import { REQUEST_TAG_LENGTH } from "./request-tag";
import type { Scope } from "./scope";

/*
 * A payment with a blind key has no seed of its own: it is derived from its request's tag and the seed of an epoch, one
 * UTC day, which is in the encrypted state and in the payer's copies. So every client of the account derives the same
 * note for the same request, and someone who learns the secret later has the seeds of two epochs at most.
 */

/** One UTC day, and the random seed from which the seeds of its payments are derived. */
export interface Epoch {
  /** Days since 1970-01-01. */
  day: bigint;
  /** 32 random bytes: E. */
  seed: Uint8Array;
}

/** The epochs that a state knows. A request that was first sent before midnight is found under the previous one. */
export interface Epochs {
  current: Epoch;
  /** The epoch of the day before `current`, if there was one. */
  previous?: Epoch;
}

/** A state whose epoch lies after the newest final block that this client knows. */
export class StateFromTheFuture extends LedgerError {
  override readonly name = "StateFromTheFuture";
  constructor() {
    super("The encrypted balance is from a day that your node has not reached. Nothing was paid. Check your node.");
  }
}

/** Returns the first epochs of a balance. */
export const firstEpochs = (day: bigint): Epochs => ({ current: { day, seed: newSeed() } });

/**
 * Returns the epochs with which the next state is written. A day that has begun gets a new seed only over a state that
 * is final: otherwise a service could have a payment of an abandoned branch of the chain made again under another seed.
 *
 * @param day the UTC day of the newest final block, by the client's own node
 * @param isFinal whether the state's commitment is final by that node
 * @throws StateFromTheFuture
 */
export function epochsOn(epochs: Epochs, day: bigint, isFinal: boolean): Epochs {
  const { current } = epochs;
  if (current.day > day) throw new StateFromTheFuture();
  if (current.day === day || !isFinal) return epochs;
  const next = firstEpochs(day);
  return current.day === day - 1n ? { ...next, previous: current } : next;
}

/**
 * Returns the tag of a request with a blind key: HKDF(k or k_i, "blind request tag", payer, SHA-256 of the API key,
 * Idempotency-Key). Nothing in it is named by the service. Two keys of an account never have the same.
 *
 * @param keyHash `hashApiKey`
 */
export function blindRequestTag(
  secret: Uint8Array,
  scope: Scope,
  account: Address,
  keyHash: Uint8Array,
  idempotencyKey: string,
): Uint8Array {
  const extra = `${account.toLowerCase()}/${toHex(keyHash)}/${idempotencyKey}`;
  return hkdf(secret, "blind request tag", scope, { extra, length: REQUEST_TAG_LENGTH });
}
