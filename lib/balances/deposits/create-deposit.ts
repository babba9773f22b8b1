import { encodeFunctionData } from "viem";
import { db } from "@/db/client";
import type { CreateDepositInput } from "@/lib/balances/deposits/schema";
import { assetBySymbol } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { broadcast } from "@/lib/chain/broadcast";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";

/**
 * Relays a deposit that the wallet has authorized (EIP-3009). The ledger deposited money only the authorizer.
 *
 * @throws ApiError `invalid_request` if the authorization is another wallet's or outside its validity, or the ledger
 *   would refuse it
 */
export async function createDeposit(ctx: SessionContext, input: CreateDepositInput): Promise<SubmittedOperation> {
  const { address } = ctx.account;
  if (input.from !== address) {
    throw new ApiError("invalid_request", "Deposit from the wallet that is signed in.", { param: "from" });
  }
  const deadline = requireDeadline(input.valid_before, "valid_before");
  const { ledger } = await scopeOf(ctx.chainId);
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const data = encodeFunctionData({
    abi: ledgerAbi,
    functionName: "depositWithAuthorization",
    args: [
      asset.address,
      address,
      BigInt(input.value),
      BigInt(input.valid_after),
      BigInt(input.valid_before),
      input.nonce,
      input.signature,
    ],
  });
  if (!(await wouldSucceed(ctx.chainId, ledger, data))) {
    throw new ApiError(
      "invalid_request",
      "The ledger refuses this deposit. Check the wallet's tokens, the enrollment and the authorization's signature.",
      { param: "signature" },
    );
  }
  const submitted = await db().transaction((tx) =>
    submitOperation(tx, { chainId: ctx.chainId, kind: "deposit", account: address, target: ledger, data, deadline }),
  );
  broadcast(submitted);
  return submitted;
}
