import type { Address } from "viem";
import { toHex } from "../crypto/bytes";
import { type AvailableOpening, availableCommitment } from "../crypto/commitments";
import { assertUnits, commitmentToHex } from "../crypto/field";
import { paymentIdOf } from "../crypto/payment-id-of";
import { availableSaltOf } from "../crypto/payment-seed";
import { encryptPayerMemo } from "../encrypted/memo";
import type { SignedFund } from "./documents";
import { lowerCase, nextStateOf } from "./next-state";
import { availableParts, keptOf, payerCopyOf } from "./payer-parts";
import { type AvailableRequest, limitAfter, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";

/** `payerViewingKey` is the owner's X, with which both copies are read. Amounts in units. */
export interface FundRequest extends AvailableRequest {
  to: Address;
  amount: bigint;
  memo?: string;
  /** The opening of the receiver's newest available balance state; EMPTY_AVAILABLE_OPENING if it never had one. */
  toAvailable: AvailableOpening;
  /** k if the owner receives, k_i if the agent does. */
  toSecret: Uint8Array;
}

/**
 * Plans a hidden move between the available balances of an owner and one of its agents, in either direction. Both
 * windows stay as they are. Both sides have a payer's copy with the same seed; their available balance salts differ,
 * because each also depends on the commitment it replaces. To retry, call it again with the same seed, which results in
 * the same payment id.
 *
 * @throws InvalidUnits (also if the receiver's available balance would reach 2^64), InsufficientAvailableBalance,
 *   UnusableViewingKey, InvalidMemo
 */
export async function planFund(request: FundRequest): Promise<Plan<SignedFund>> {
  const { scope, account, to, asset, amount, available, toAvailable, memo } = request;
  const { seed, tag } = seedAndTag(request);
  const limit = limitAfter(available.limit, amount);
  const fromSalt = availableSaltOf(seed, scope, availableCommitment(available));
  const fromNext = { limit, salt: fromSalt, window: available.window, ...keptOf(request) };
  const toOld = availableCommitment(toAvailable);
  const toNext: AvailableOpening = {
    limit: toAvailable.limit + amount,
    salt: availableSaltOf(seed, scope, toOld),
    window: toAvailable.window,
    ...keptOf({ available: toAvailable }),
  };
  assertUnits(toNext.limit);
  const { oldAvailable, newAvailable, document } = availableParts(request, fromNext);
  const toNew = availableCommitment(toNext);
  const copy = { amount, seed, tag };
  const draft = {
    kind: "fund" as const,
    ...document,
    to: lowerCase(to),
    payment_id: paymentIdOf(seed, scope),
    to_old_available: commitmentToHex(toOld),
    to_new_available: commitmentToHex(toNew),
    payer_ciphertext: await payerCopyOf(request, account, fromNext, copy),
    to_ciphertext: await payerCopyOf(request, to, toNext, copy),
    ...(memo !== undefined && { memo_ciphertext: toHex(encryptPayerMemo(scope, newAvailable, seed, memo)) }),
    to_next_state: nextStateOf(request.toSecret, { scope, account: to, asset, commitment: toNew }, toNext),
  };
  return makePlan<SignedFund>(scope, draft, {
    fromOld: oldAvailable,
    fromNew: newAvailable,
    toOld,
    toNew,
    amount,
    fromLimit: available.limit,
    fromOldSalt: available.salt,
    fromNewSalt: fromNext.salt,
    fromSpent: available.window.spent,
    fromDay: available.window.day,
    toLimit: toAvailable.limit,
    toOldSalt: toAvailable.salt,
    toNewSalt: toNext.salt,
    toSpent: toAvailable.window.spent,
    toDay: toAvailable.window.day,
  });
}
