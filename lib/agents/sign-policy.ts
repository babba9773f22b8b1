import { isAddressEqual } from "viem";
import type { Tx } from "@/db/client";
import type { ChainScope } from "@/lib/chain/scope-of";
import type { KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import type { LedgerRecord } from "@/lib/ledger/authority/ledger-record";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { deriveSpender } from "@/lib/ledger/crypto/keys";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import type { PolicyHolder } from "./party-at-latest";
import { type NextPolicy, planPolicy } from "./plan-policy";

/** How long the ledger may take what a key signs here: an hour less than it allows, for clocks that differ. Seconds. */
const DEADLINE = 23 * 3_600;

/** The deadline of what a key signs now, in Unix seconds. */
export function keyDeadline(now = new Date()): bigint {
  return BigInt(Math.floor(now.getTime() / 1000) + DEADLINE);
}

/** The refusal of a key where only the wallet may: its account is guarded. */
export function guarded(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This account is guarded: only its wallet sets policies. Sign the change in the dashboard or with `halcyon policy " +
      "set`, or turn the guard off there.",
  );
}

/** The refusal of a key whose secret is no longer its account's, or ends too soon. */
export function mayNotSign(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This key may no longer sign for its account. Create a new key in the dashboard, or with the SDK or the command line.",
  );
}

/**
 * Signs a policy of an agent with the spender of its owner, while the key's secret is open.
 *
 * @param owner the owner's record
 * @param tx the transaction it is called in
 * @throws ApiError `key_forbidden` of a guarded account, of a key that wraps nothing or an old secret
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
  const { secret } = await unwrapToSign(ctx, tx);
  try {
    const spender = deriveSpender(secret, scope);
    const deadline = keyDeadline();
    if (!isAddressEqual(spender.address, owner.signer) || owner.until < deadline) throw mayNotSign();
    return await signAuthority(scope, planPolicy(scope, holder, next, deadline), keySigner(spender.privateKey));
  } finally {
    secret.fill(0);
  }
}

/** The refusal of a key that wraps nothing speaks of payments: here it is a policy that the client signs. */
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
