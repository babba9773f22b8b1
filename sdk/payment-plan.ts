import { parseAmount } from "@/lib/money";
import { findAgent } from "./agents";
import type { Context } from "./context";
import { HalcyonError } from "./errors";
import type { Asset } from "./network-info";
import { ownParty, type Party, partyOf } from "./party";
import { kindOf, type PaymentInput } from "./payment";
import { resolveRecipient } from "./recipient";
import type { PreparedPayment } from "./resources";

/** A payment that is built and proven on this machine. */
export interface PrepareTransferInput {
  /** `@handle` or a 0x address. */
  to: string;
  /** Decimal string. */
  amount: string;
  /** `USDG` when left out. */
  asset?: string;
  memo?: string;
  /** Handle of an agent of the account, which pays within its policy; the wallet's account when left out. */
  from?: string;
  /**
   * Names the payment: prepared again under the same key it makes the same note, so that of all its bodies one at most pays.
   * Each is a payment of its own when left out. A public payment makes no note: prepare it again only when the one before
   * has expired.
   */
  idempotencyKey?: string;
  /** Pays in public to the recipient's address, enrolled or not. */
  public?: boolean;
}

/** The body of `POST /v1/transfers` for a prepared payment: whoever holds an API key of the account may send it. */
export interface PreparedTransferBody {
  to: string;
  from?: string;
  asset: string;
  confidential: boolean;
  prepared: PreparedPayment;
}

/** A payment with everything looked up that building it needs. */
export interface PaymentPlan {
  payer: Party;
  asset: Asset;
  payment: PaymentInput;
  /** As the API takes it. */
  from?: string;
}

/** The payer named by `from`, as the API takes it: a handle as it is, `bot` as the account's agent of this name. */
export async function payerHandle(context: Context, from: string): Promise<string> {
  return /[@/]/.test(from) ? from : (await findAgent(context, from)).handle;
}

async function payerParty(context: Context, from: string | undefined): Promise<Party> {
  if (!from?.startsWith("@") || from.includes("/")) return partyOf(context, from);
  if (from.toLowerCase() === (await context.account()).handle) return ownParty(context);
  throw new HalcyonError("not_agent_owner", "You pay from your own account or one of its agents.");
}

/** Looks up payer, recipient and asset. */
export async function planPayment(context: Context, input: PrepareTransferInput): Promise<PaymentPlan> {
  const [asset, payer] = await Promise.all([context.asset(input.asset), payerParty(context, input.from)]);
  const to = await resolveRecipient(context, payer.address, input.to);
  const kind = kindOf(context, payer, to, input.public);
  const units = parseAmount(input.amount, asset.decimals);
  const payment = { to, asset, units, kind, memo: input.memo, counted: true };
  return { payer, asset, payment, from: input.from && (await payerHandle(context, input.from)) };
}

/** The body of `POST /v1/transfers`, without the document. */
export function bodyWithout(to: string, { asset, payment, from }: PaymentPlan): Omit<PreparedTransferBody, "prepared"> {
  return { to, ...(from && { from }), asset: asset.symbol, confidential: payment.kind !== "release" };
}
