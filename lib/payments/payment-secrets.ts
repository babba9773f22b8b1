import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { type AvailableId, type NewestState, syncRequired } from "@/lib/balances/lock";
import type { ContextAccount, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { type AvailableOpening, EMPTY_AVAILABLE_OPENING } from "@/lib/ledger/crypto/commitments";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { deriveAgentHalf } from "@/lib/ledger/crypto/keys";
import { requestTag } from "@/lib/ledger/crypto/request-tag";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { packWindow } from "@/lib/ledger/crypto/window";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";

/** The secrets of one payment in memory: an account's or an agent's. Wipe them when the payment has ended. */
export interface PaymentSecrets {
  /** The payer's knowledge, k or k_i. */
  payer: Uint8Array;
  /** The payer's authority, a or a_i. */
  payerAuthority: Uint8Array;
  /** The receiver's knowledge, for a `fund`. */
  receiver: Uint8Array | null;
  /**
   * Both halves of the account's secret; null if the key is an agent's. The payment key is derived from `authority`.
   */
  account: { knowledge: Uint8Array; authority: Uint8Array } | null;
  heldPublicKey: Uint8Array;
  secretVersion: number;
  wipe(): void;
}

/**
 * Unwraps the key's secret, and derives that of the own agent that takes part.
 *
 * @param funds the receiver of a `fund`, else null
 * @param tx the transaction in which it is called, if any
 * @throws ApiError `key_forbidden` for a key that wraps nothing
 */
export async function decryptPaymentSecrets(
  ctx: KeyContext,
  scope: Scope,
  payer: ContextAccount,
  funds: Address | null,
  tx?: Tx,
): Promise<PaymentSecrets> {
  const { secret, authority, heldPublicKey, secretVersion } = await ctx.unwrap(tx);
  const isOwn = payer.id === ctx.account.id;
  const payerSecret = isOwn ? secret : deriveAgentHalf(secret, payer.address, scope);
  const payerAuthority = isOwn ? authority : deriveAgentHalf(authority, payer.address, scope);
  // An agent funds its owner; an account funds its agent.
  const receiver = funds && (payer.type === "agent" ? secret : deriveAgentHalf(secret, funds, scope));
  return {
    payer: payerSecret,
    payerAuthority,
    receiver,
    account: ctx.account.type === "agent" ? null : { knowledge: secret, authority },
    heldPublicKey,
    secretVersion,
    wipe: () => {
      for (const bytes of [secret, authority, payerSecret, payerAuthority, receiver]) bytes?.fill(0);
    },
  };
}

/**
 * Decrypts an available balance's newest state.
 *
 * @throws ApiError `sync_required` when it is missing, encrypted under another version of the secret, or can't be
 *   decrypted
 */
export function decryptNewest(
  scope: Scope,
  { account, asset }: AvailableId,
  newest: NewestState,
  secret: Uint8Array,
  secretVersion: number,
): AvailableOpening {
  if (newest.syncRequired) throw syncRequired();
  if (!newest.state) return EMPTY_AVAILABLE_OPENING;
  if (newest.state.secretVersion !== secretVersion) throw syncRequired();
  try {
    const ref = { scope, account, asset, commitment: hexToCommitment(newest.commitment) };
    return decryptAvailableState(secret, ref, fromHex(newest.state.encrypted));
  } catch (error) {
    throw error instanceof DecryptionFailed ? syncRequired() : error;
  }
}

/**
 * Refuses to pay without a policy from an available balance that has counted under one. An account that has removed its
 * limits must make its money available again, which its wallet signs.
 *
 * @throws ApiError `sync_required`, with the remedy
 */
export function requireNothingCounted({ window }: AvailableOpening): void {
  if (packWindow(window) === 0n) return;
  throw new ApiError(
    "sync_required",
    "This account has left the limits of its keys. Make its money available once more with its wallet: in the dashboard, " +
      "with the SDK or `halcyon make-available`. Then its keys pay again.",
  );
}

/**
 * Returns the tag by which a repeated request finds its payment on chain; undefined for a request without an
 * idempotency key.
 */
export function tagOf(
  { idempotencyKey }: KeyContext,
  scope: Scope,
  payer: ContextAccount,
  { account, payer: payerSecret }: PaymentSecrets,
): Uint8Array | undefined {
  if (idempotencyKey === undefined) return undefined;
  // Derived from what the key wraps, because a repeated request has no other secret.
  return requestTag(account?.knowledge ?? payerSecret, scope, payer.address, idempotencyKey);
}
