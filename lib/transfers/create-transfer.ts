import { assetBySymbol, unitsOf } from "@/lib/assets";
import type { BeforeCommit, Context, ContextAccount } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { requireKyc } from "@/lib/kyc/require-kyc";
import { CHAIN_ID } from "@/lib/network";
import { countPayment } from "./count-payment";
import { createPreparedTransfer } from "./create-prepared-transfer";
import { findPayer } from "./find-payer";
import { findReceiver } from "./find-receiver";
import type { CreatedTransfer } from "./paid-transfer";
import { payServerSigned } from "./pay-server-signed";
import type { CreateTransferInput } from "./schema";
import type { ServerSignedPayment } from "./server-signed-payment";

/**
 * Sends a payment (docs/protocol.md section 6) from the caller's account, or with `from` from one of its agents. A
 * plain one opens the budget with what the API key unwraps, proves and signs; an agent's may be held for its owner. A
 * `prepared` one is checked and relayed.
 *
 * @param beforeCommit completes the caller's `Idempotency-Key` in the payment's own transaction
 * @throws not_agent_owner, not_found (`from`), kyc_required (live network), invalid_request, key_forbidden,
 * recipient_not_found, recipient_not_confidential_ready, policy_violation, policy_not_in_force, insufficient_balance,
 * reseal_required, budget_changed (prepared only), rate_limited, unavailable
 */
export function createTransfer(
  ctx: Context,
  input: CreateTransferInput,
  beforeCommit: BeforeCommit<CreatedTransfer> = async () => {},
): Promise<CreatedTransfer> {
  return countPayment(
    () => pay(ctx, input, beforeCommit),
    ({ outcome }) => outcome,
  );
}

async function pay(
  ctx: Context,
  input: CreateTransferInput,
  beforeCommit: BeforeCommit<CreatedTransfer>,
): Promise<CreatedTransfer> {
  const payer = await findPayer(ctx, input.from);
  if (ctx.chainId === CHAIN_ID.live) await requireKyc(ctx);
  const { prepared } = input;
  if (prepared) return createPreparedTransfer(ctx, payer, { ...input, prepared }, { beforeCommit });
  if (ctx.actor === "session") {
    throw new ApiError("invalid_request", "A session sends `prepared` payments only.", { param: "prepared" });
  }
  return payServerSigned(ctx, await readPayment(ctx, payer, input), { beforeCommit });
}

/**
 * The payment that a plain request asks for, its receiver found.
 *
 * @throws invalid_request, recipient_not_found, recipient_not_confidential_ready
 */
export async function readPayment(
  { chainId }: Context,
  payer: ContextAccount,
  { to, amount = "", asset: symbol, confidential, memo }: CreateTransferInput,
): Promise<ServerSignedPayment> {
  const asset = assetBySymbol(chainId, symbol);
  const units = unitsOf(asset, amount);
  const receiver = await findReceiver(chainId, payer, to, confidential);
  return { payer, asset, amount: units, receiver, confidential, to, memo };
}
