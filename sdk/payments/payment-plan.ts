import { parseAmount } from "@/lib/money";
import { findAgent } from "../account/agents";
import { ownParty, type Party, partyOf } from "../account/party";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";
import type { KeyContext } from "../context/key-context";
import { kindOf, type PaymentInput } from "./payment";
import { bindingBytes, detailsBody } from "./payment-details";
import type { PreparedTransferBody, PrepareTransferInput } from "./prepare-transfer-input";
import { resolveRecipient } from "./recipient";

/** What a body says of a payment beside its money. */
type SaidOfPayment = Pick<
  PreparedTransferBody,
  "reference" | "unique_reference" | "payment_request" | "refund_of" | "refunds_counted"
>;

/** A payment with everything looked up that building it needs. */
export interface PaymentPlan {
  payer: Party;
  asset: Asset;
  payment: PaymentInput;
  /** As the API takes it. */
  from?: string;
  /** What the service records with it, as the API takes it. */
  said?: SaidOfPayment;
}

/** The payer named by `from`, as the API takes it: a handle as it is, `bot` as the account's agent of this name. */
export async function payerHandle(context: KeyContext, from: string): Promise<string> {
  return /[@/]/.test(from) ? from : (await findAgent(context, from)).handle;
}

/** The account or one of its agents, by a handle or an agent's name. */
export async function payerParty(context: Context, from: string | undefined): Promise<Party> {
  if (!from?.startsWith("@") || from.includes("/")) return partyOf(context, from);
  if (from.toLowerCase() === (await context.account()).handle) return ownParty(context);
  throw new HalcyonError("not_agent_owner", "You pay from your own account or one of its agents.");
}

/**
 * Looks up payer, recipient and asset.
 *
 * @param pinLater leaves the recipient's handle unpinned when it is new to this machine
 */
export async function planPayment(
  context: Context,
  input: PrepareTransferInput,
  pinLater = false,
): Promise<PaymentPlan> {
  const [asset, payer] = await Promise.all([context.asset(input.asset), payerParty(context, input.from)]);
  const to = await resolveRecipient(context, payer.address, input.to, { later: pinLater });
  const kind = kindOf(context, payer, to, input.public);
  const units = parseAmount(input.amount, asset.decimals);
  const binding = bindingBytes(input.binding, kind);
  const payment = { to, asset, units, kind, memo: input.memo, binding, counted: true };
  const from = input.from && (await payerHandle(context, input.from));
  return { payer, asset, payment, from, said: detailsBody(input) };
}

/** The body of `POST /v1/transfers`, without the document. */
export function bodyWithout(
  to: string,
  { asset, payment, from, said }: PaymentPlan,
): Omit<PreparedTransferBody, "prepared"> {
  return { to, ...(from && { from }), asset: asset.symbol, confidential: payment.kind !== "release", ...said };
}
