import { and, eq, isNull, lt } from "drizzle-orm";
import { type Address, isAddressEqual } from "viem";
import { db, type Tx } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { apiKeys } from "@/db/schema/keys";
import { announceRevoked } from "@/lib/accounts/keys/announce-revoked";
import { NO_WRAPS } from "@/lib/accounts/keys/no-wraps";
import { requirePaymentKeyUntil } from "@/lib/accounts/payment-key-until";
import { secretRotated } from "@/lib/accounts/secret-version";
import { requireOwner } from "@/lib/agents/require-owner";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { broadcast } from "@/lib/chain/broadcast";
import { publicClient } from "@/lib/chain/clients";
import { isByContract } from "@/lib/chain/is-by-contract";
import { type OperationRecord, toOperationResource } from "@/lib/chain/operations/operation-resource";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { refuseRelayer } from "@/lib/chain/relayer";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { RotateInput } from "./schema";

/** What came of a rotation's first step. */
interface Rotation {
  secretVersion: number;
  /** Keys that ended with it. */
  keysEnded: number;
  /** Null: the ledger has this payment key already, the owner's wallet has sent it alone. */
  operation: OperationRecord | null;
}

/**
 * The first step of a rotation (docs/protocol.md section 3), which depends on nothing that may be spoilt: the new
 * payment key is relayed to the ledger, the account's secret has its next version, and every API key under an earlier
 * one ends. What is still encrypted under an earlier version the owner's client submits afterwards, piece by piece:
 * held payments encrypted again under the next secret, and for the agents new keys (`setAgentSigners`).
 *
 * @throws ApiError `available_balance_changed` for a version that is not a later one; `invalid_request` for a
 *   `SetPaymentKey` the ledger would refuse; `rate_limited`
 */
export async function rotateAccountSecret(ctx: SessionContext, input: RotateInput): Promise<Rotation> {
  requireOwner(ctx);
  const { chainId, account } = ctx;
  const { document, secret_version: secretVersion } = input;
  const { payment_key: paymentKey } = document;
  const deadline = requireDeadline(document.deadline, "document.deadline");
  requirePaymentKeyUntil(document.payment_key_until);
  refuseRelayer(chainId, [paymentKey], "document.payment_key");
  if (document.account !== account.address) {
    throw new ApiError("invalid_request", "Sign for your own account.", { param: "document.account" });
  }
  const scope = await scopeOf(chainId);
  const { ledger } = scope;
  const isThere = await hasPaymentKey(ctx, paymentKey);
  const data = authorityCalldata(document);
  if (!isThere && !(await wouldSucceed(chainId, ledger, data))) {
    const message =
      "The ledger refuses this payment key: sign SetPaymentKey with the account's wallet and its current nonce.";
    throw new ApiError("invalid_request", message, { param: "document.signature" });
  }
  const byContract = await isByContract(scope, document, [account.address]);
  const { operation, keys } = await db().transaction(async (tx) => {
    const now = new Date();
    const version = await lockVersion(tx, ctx);
    if (secretVersion <= version) throw secretRotated();
    await tx.update(accountNetworks).set({ secretVersion }).where(settingsOf(ctx));
    const keys = await endKeys(tx, ctx, secretVersion, now);
    await announceRevoked(tx, chainId, keys, now);
    const call = {
      chainId,
      kind: "set_payment_key",
      account: account.address,
      target: ledger,
      data,
      byContract,
    } as const;
    const submitted = isThere ? null : await submitOperation(tx, { ...call, deadline });
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), target: account.id };
    const after = { secret_version: secretVersion, payment_key: paymentKey, keys };
    await appendAudit(tx, { ...entry, action: "account.secret_rotated", after }, now);
    return { operation: submitted, keys };
  });
  if (operation) broadcast(operation satisfies SubmittedOperation);
  return { secretVersion, keysEnded: keys.length, operation };
}

/** Serialises it. */
export function toRotation({ secretVersion, keysEnded, operation }: Rotation) {
  return {
    secret_version: secretVersion,
    keys_ended: keysEnded,
    operation: operation && toOperationResource(operation),
  };
}

/** Whether the ledger has this payment key for the account, in its newest block. */
async function hasPaymentKey({ chainId, account }: SessionContext, paymentKey: Address): Promise<boolean> {
  const { ledger: address } = await scopeOf(chainId);
  const query = { address, abi: ledgerAbi, functionName: "account", args: [account.address] } as const;
  const { signer } = await publicClient(chainId).readContract(query);
  return isAddressEqual(signer, paymentKey);
}

const settingsOf = ({ account, chainId }: SessionContext) =>
  and(eq(accountNetworks.accountId, account.id), eq(accountNetworks.chainId, chainId));

/** The creation of a key or an agent holds this row. */
async function lockVersion(tx: Tx, ctx: SessionContext): Promise<number> {
  await tx.insert(accountNetworks).values({ accountId: ctx.account.id, chainId: ctx.chainId }).onConflictDoNothing();
  const [row] = await tx
    .select({ version: accountNetworks.secretVersion })
    .from(accountNetworks)
    .where(settingsOf(ctx))
    .for("update");
  return row?.version ?? 1;
}

/** What they wrap is of an earlier secret. Returns their ids. */
async function endKeys(tx: Tx, { chainId, account }: SessionContext, version: number, now: Date): Promise<string[]> {
  const ended = await tx
    .update(apiKeys)
    .set({ revokedAt: now, ...NO_WRAPS })
    .where(
      and(
        eq(apiKeys.accountId, account.id),
        eq(apiKeys.chainId, chainId),
        isNull(apiKeys.revokedAt),
        lt(apiKeys.secretVersion, version),
      ),
    )
    .returning({ id: apiKeys.id });
  return ended.map(({ id }) => id).sort();
}
