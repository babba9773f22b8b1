import type { Address, Hex } from "viem";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import type { Asset } from "@/lib/base/assets";
import type { ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { deriveOneTimeKey } from "@/lib/ledger/crypto/keys";
import { paymentIdOf } from "@/lib/ledger/crypto/payment-id-of";
import { newSeed } from "@/lib/ledger/crypto/payment-seed";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { type ExactTerms, signExact, TAKE_SECONDS } from "@/lib/ledger/exact/authorizations";
import type { TokenDomain } from "@/lib/ledger/exact/token-domain";
import type { ExactToRecord } from "./record-exact";

/** Marks a payment to a seller that takes only public payments. */
export interface ExactPayment {
  /** The EIP-712 domain of the asset. */
  domain: TokenDomain;
  /** For an approved payment: the one-time address for which it was held. */
  heldFor?: Address;
}

/**
 * How long the ledger may take the payment to the one-time address, in seconds. Short, so that the seller has most of
 * its own time.
 */
export const EXACT_DEADLINE = 600;

/** The parts of the payment that the one-time address depends on. */
interface ExactPaymentParts {
  payer: ContextAccount;
  asset: Asset;
  amount: bigint;
  /** The seller. */
  receiver: { recipient: Recipient };
  /** The seed of a payment that was held. */
  seed?: Uint8Array;
}

/** A one-time address, while the payer's authority is in memory. */
interface OneTime {
  seed: Uint8Array;
  /** Replaces the seller as the receiver. It has no account and no key to encrypt for. */
  receiver: { recipient: Recipient; key: null };
  /** Signs the authorizations that are recorded with the payment. */
  authorize(now: Date): Promise<ExactToRecord>;
}

/**
 * Derives the one-time address of a payment from the payer's authority and the payment's seed, which a held payment keeps.
 *
 * @throws ApiError `sync_required` for a payment that was held before the account's secret was rotated
 */
export function oneTimeOf(
  scope: Scope,
  payment: ExactPaymentParts,
  exact: ExactPayment,
  authority: Uint8Array,
): OneTime {
  const { payer, asset, amount, receiver } = payment;
  const seed = payment.seed ?? newSeed();
  const paymentId = paymentIdOf(seed, scope);
  const key = deriveOneTimeKey(authority, scope, paymentId);
  const address = key.address.toLowerCase() as Address;
  if (exact.heldFor !== undefined && exact.heldFor !== address) throw heldBeforeRotation();
  return {
    seed,
    receiver: { recipient: { address, account: null, isAgent: false }, key: null },
    async authorize(now) {
      const seller = receiver.recipient.address;
      const terms = termsOf(payer, {
        address,
        seller,
        value: amount * asset.unit,
        validBefore: takenBefore(now),
        paymentId,
      });
      return { ...terms, ...(await signExact(exact.domain, key.privateKey, terms)) };
    },
  };
}

/** Returns when a seller's time ends if it begins now, in Unix seconds. */
export function takenBefore(now: Date): bigint {
  return BigInt(Math.floor(now.getTime() / 1000) + TAKE_SECONDS);
}

interface OneTimeTerms {
  address: Address;
  seller: Address;
  value: bigint;
  validBefore: bigint;
  paymentId: Hex;
}

/** Adds the return address: what the seller does not take goes back to the owner's wallet. */
export function termsOf({ rootAddress }: ContextAccount, { address: from, ...terms }: OneTimeTerms): ExactTerms {
  return { from, returnTo: rootAddress, ...terms };
}

/** Returns the error for a payment that no policy could allow, because the account has none. */
export function exactUnderPolicyOnly(): ApiError {
  return new ApiError(
    "key_forbidden",
    "Only an agent, or an account with limits for its own keys, pays sellers that take public payments only.",
    { param: "exact" },
  );
}

function heldBeforeRotation(): ApiError {
  return new ApiError(
    "sync_required",
    "This payment was asked for before the account's secret was rotated. Reject it; its agent asks again.",
  );
}
