import type { Address, Hex } from "viem";
import { toHex } from "../crypto/bytes";
import { type AvailableOpening, availableCommitment } from "../crypto/commitments";
import { commitmentToHex } from "../crypto/field";
import { TAGS_AT } from "../encrypted/available-state";
import { encryptPayerCopy } from "../encrypted/payer-copy";
import type { EncryptedStateDocument } from "./documents";
import { lowerCase, nextStateOf } from "./next-state";
import type { AvailableRequest } from "./payment-request";

/** The change of one available balance: its commitments, and its fields in the document. */
interface AvailableParts {
  oldAvailable: bigint;
  newAvailable: bigint;
  document: {
    account: Address;
    asset: Address;
    old_available: Hex;
    new_available: Hex;
    deadline: string;
    next_state: EncryptedStateDocument;
  };
}

/**
 * Returns the commitments of an available balance that becomes `next`, and its next encrypted state.
 *
 * @param madeBy the note or payment id, if a client with a home key makes the payment
 */
export function availableParts(request: AvailableRequest, next: AvailableOpening, madeBy?: Hex): AvailableParts {
  const { scope, account, asset, available, deadline, secret } = request;
  const [oldAvailable, newAvailable] = [availableCommitment(available), availableCommitment(next)];
  return {
    oldAvailable,
    newAvailable,
    document: {
      account: lowerCase(account),
      asset: lowerCase(asset),
      old_available: commitmentToHex(oldAvailable),
      new_available: commitmentToHex(newAvailable),
      deadline: deadline.toString(),
      next_state: nextStateOf(secret, { scope, account, asset, commitment: newAvailable }, next, madeBy),
    },
  };
}

/**
 * Returns what the next state keeps beside its opening; what the request doesn't have, that of its available balance.
 */
export function keptOf({
  counters,
  blind,
  available,
}: Pick<AvailableRequest, "counters" | "blind" | "available">): Pick<AvailableOpening, "counters" | "blind"> {
  const counted = counters ?? available.counters;
  // Its tags are those of the payments that made the state before.
  const kept = blind ?? available.blind?.slice().fill(0, TAGS_AT);
  return { ...(counted && { counters: counted }), ...(kept && { blind: kept }) };
}

/**
 * Returns the payer's copy of the change of `account`'s available balance to `next`.
 *
 * @throws UnusableViewingKey
 */
export async function payerCopyOf(
  { scope, asset, payerViewingKey, epoch }: Pick<AvailableRequest, "scope" | "asset" | "payerViewingKey" | "epoch">,
  account: Address,
  next: AvailableOpening,
  copy: { amount: bigint; seed: Uint8Array; tag: Uint8Array },
): Promise<Hex> {
  const ref = { scope, account, asset, commitment: availableCommitment(next) };
  const available = { limit: next.limit, window: next.window };
  return toHex(await encryptPayerCopy(payerViewingKey, ref, { ...copy, ...available, ...(epoch && { epoch }) }));
}
