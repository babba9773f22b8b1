import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { SignerRefused } from "@/lib/balances/signer-refused";
import type { Context, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainScope } from "@/lib/chain/scope-of";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { isSignerAt, type LedgerParty, type LedgerRecord } from "@/lib/ledger/authority/ledger-record";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import type { Authority } from "./authority-of";
import type { PolicyHolder } from "./party-at-latest";
import type { PendingPolicy } from "./pending-policy";
import { type NextPolicy, planPolicy } from "./plan-policy";

/**
 * Seconds for which the ledger may accept what a key signs here: an hour less than it allows, for clocks that differ.
 */
const DEADLINE = 23 * 3_600;

/** Returns the deadline for what a key signs now, in Unix seconds. */
export function keyDeadline(now = new Date()): bigint {
  return BigInt(Math.floor(now.getTime() / 1000) + DEADLINE);
}

/** Returns the error for an API key of a guarded account, where only the wallet may sign. */
export function guarded(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This account is guarded: only its wallet sets policies. Sign the change in the dashboard or with `halcyon policy " +
      "set`, or turn the guard off there.",
  );
}

/**
 * Refuses what the payment key signs while the account's guard is under way. The ledger would refuse it after the guard,
 * and then the agent would have no policy in force.
 *
 * @throws ApiError `unavailable`
 */
export function refuseWhileGuarding({ isGuarding }: Pick<PendingPolicy, "isGuarding">, signer: Authority | null): void {
  if (!isGuarding || signer !== "paymentKey") return;
  throw new ApiError(
    "unavailable",
    "The account's guard is on its way to the ledger. Nothing was sent. Try again in a moment.",
    { retryAfter: 2 },
  );
}

/**
 * Checks that the payment key that an API key's secret makes is its account's, until the deadline.
 *
 * @param owner the account's ledger record
 * @param error what to throw, by default `key_forbidden`
 * @throws ApiError `error` if the secret is no longer the account's, or the signing key expires too soon. Pass it
 *   through `unavailableWhileSignerChanges`.
 */
export function requireSigner(
  { chainId, account }: Pick<Context, "chainId" | "account">,
  owner: LedgerRecord,
  signer: Address,
  deadline: bigint,
  error = mayNotSign(),
): void {
  if (isSignerAt(owner, signer, deadline)) return;
  const isAccepted = ({ record }: LedgerParty) => isSignerAt(record, signer, deadline);
  throw new SignerRefused({ chainId, holder: account, isAccepted }, error);
}

function mayNotSign(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This key may no longer sign for its account. Create a new key in the dashboard, or with the SDK or the command line.",
  );
}

/**
 * Signs an agent's policy with its owner's payment key, which is derived from the API key's secret.
 *
 * @param owner the owner's ledger record
 * @param tx the transaction it is called in
 * @throws ApiError `key_forbidden` if the account is guarded, the API key has no secret, or its secret is outdated.
 *   Pass it through `unavailableWhileSignerChanges`, outside of the transaction.
 */
export async function signPolicy(
  ctx: KeyContext,
  scope: ChainScope,
  holder: Pick<PolicyHolder, "address">,
  owner: LedgerRecord,
  next: NextPolicy,
  tx: Tx,
): Promise<AuthorityDocumentOf<"set_policy">> {
  if (owner.guarded) throw guarded();
  const { secret, authority } = await unwrapToSign(ctx, tx);
  try {
    const paymentKey = derivePaymentKey(authority, scope);
    const deadline = keyDeadline();
    requireSigner(ctx, owner, paymentKey.address, deadline);
    return await signAuthority(scope, planPolicy(scope, holder, next, deadline), keySigner(paymentKey.privateKey));
  } finally {
    secret.fill(0);
    authority.fill(0);
  }
}

/** Decrypts the API key's secret. Replaces the error message of a key without a secret, which is about payments. */
async function unwrapToSign(ctx: KeyContext, tx: Tx) {
  try {
    return await ctx.unwrap(tx);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "key_forbidden") throw error;
    throw new ApiError(
      "key_forbidden",
      "This key cannot sign: its account requires client-signed changes. Sign the policy in the dashboard, or with the SDK or the command line.",
    );
  }
}
