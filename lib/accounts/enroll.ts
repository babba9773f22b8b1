import { encodeFunctionData, keccak256 } from "viem";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { requirePaymentKeyUntil } from "@/lib/accounts/payment-key-until";
import type { EnrollInput } from "@/lib/accounts/schema";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { broadcast } from "@/lib/chain/broadcast";
import { gasLimit } from "@/lib/chain/gas";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { refuseRelayer } from "@/lib/chain/relayer";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { isUsableViewingKey } from "@/lib/ledger/crypto/hpke";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { keyBehind } from "@/lib/ledger/prepare/signature";

/**
 * Relays the account's enrollment. Payments that follow may count on it before it is final.
 *
 * @throws ApiError `invalid_request` for a viewing key that nothing can be encrypted to, a deadline in the past or more
 *   than 24 hours ahead, an account that is already enrolled, a relayer's address, or a signature that is not the
 *   wallet's
 */
export async function enroll(ctx: SessionContext, input: EnrollInput): Promise<SubmittedOperation> {
  if (!isUsableViewingKey(fromHex(input.viewing_key))) {
    throw new ApiError(
      "invalid_request",
      "Nothing can be encrypted to this viewing key. Derive it from a new account key.",
      {
        param: "viewing_key",
      },
    );
  }
  const deadline = requireDeadline(input.deadline, "deadline");
  const paymentKeyUntil = requirePaymentKeyUntil(input.payment_key_until);
  const scope = await scopeOf(ctx.chainId);
  const { ledger } = scope;
  const { address } = ctx.account;
  refuseRelayer(ctx.chainId, [address, input.payment_key], "payment_key");
  const params = {
    account: address,
    viewingKey: input.viewing_key,
    paymentKey: input.payment_key,
    paymentKeyUntil,
    encryptedAccountKey: input.encrypted_account_key,
    deadline: BigInt(input.deadline),
  };
  const data = encodeFunctionData({ abi: ledgerAbi, functionName: "enroll", args: [params, input.signature] });
  const { encryptedAccountKey, ...signed } = params;
  const message = { ...signed, encryptedAccountKeyHash: keccak256(encryptedAccountKey), nonce: 0n };
  const { digest } = signRequestOf(scope, "Enroll", message);
  const byContract = (await keyBehind(digest, input.signature)) !== address;
  if (!(await wouldSucceed(ctx.chainId, ledger, data, gasLimit("enroll", byContract)))) {
    throw new ApiError(
      "invalid_request",
      "The ledger refuses this enrollment: it is not signed by this wallet, or exists.",
      {
        param: "signature",
      },
    );
  }
  const submitted = await db().transaction(async (tx) => {
    const rows = await tx
      .insert(ledgerAccounts)
      .values({
        chainId: ctx.chainId,
        address,
        viewingKey: input.viewing_key,
        signer: input.payment_key,
        until: paymentKeyUntil,
        encryptedAccountKey: input.encrypted_account_key,
      })
      .onConflictDoNothing()
      .returning({ address: ledgerAccounts.address });
    if (rows.length === 0) {
      throw new ApiError(
        "invalid_request",
        "An enrollment of this account is under way or final. Read its state first.",
      );
    }
    const operation = await submitOperation(tx, {
      chainId: ctx.chainId,
      kind: "enroll",
      byContract,
      account: address,
      target: ledger,
      data,
      deadline,
    });
    const { chainId, account } = ctx;
    const after = { viewing_key: input.viewing_key, payment_key: input.payment_key };
    await appendAudit(
      tx,
      { rootId: account.rootId, chainId, actor: actorOf(ctx), action: "account.enrolled", target: account.id, after },
      operation.createdAt,
    );
    return operation;
  });
  broadcast(submitted);
  return submitted;
}
