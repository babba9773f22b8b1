import { parseAmount } from "@/lib/base/money";
import { findAgent } from "../account/agents";
import { ownParty, type Party, partyOf } from "../account/party";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";
import { type PaymentInput, paymentKind } from "./payment";
import { bindingBytes, detailsBody } from "./payment-details";
import type { ClientSignedTransferBody, PrepareTransferInput } from "./prepare-transfer-input";
import { type Meant, resolveRecipient } from "./recipient";

/** The fields of a request body that describe the payment, apart from the money. */
type SaidOfPayment = Pick<
  ClientSignedTransferBody,
  "reference" | "unique_reference" | "payment_request" | "refund_of" | "refunds_counted"
>;

/** A payment with everything needed to build it looked up. */
export interface PaymentPlan {
  payer: Party;
  asset: Asset;
  payment: PaymentInput;
  /** The payer in the API's form. */
  from?: string;
  /** The details that the service records, in the API's form. */
  said?: SaidOfPayment;
}

/**
 * Converts `from` to the API's form: handles stay as they are, and `bot` becomes the handle of the account's agent with
 * this name.
 */
export async function payerHandle(context: Context, from: string): Promise<string> {
  return /[@/]/.test(from) ? from : (await findAgent(context, from)).handle;
}

/** Returns the account or one of its agents, by a handle or an agent's name. */
export async function payerParty(context: Context, from: string | undefined): Promise<Party> {
  if (!from?.startsWith("@") || from.includes("/")) return partyOf(context, from);
  if (from.toLowerCase() === (await context.account()).handle) return ownParty(context);
  throw new HalcyonError("not_agent_owner", "You pay from your own account or one of its agents.");
}

/**
 * Looks up payer, recipient and asset.
 *
 * @param pinLater leaves the recipient's handle unpinned if it is new to this machine
 */
export async function planPayment(
  context: Context,
  input: PrepareTransferInput & Meant,
  pinLater = false,
): Promise<PaymentPlan> {
  const [asset, payer] = await Promise.all([context.asset(input.asset), payerParty(context, input.from)]);
  const from = input.from && (await payerHandle(context, input.from));
  // What an agent pays to its owner's handle goes to this wallet's own account, whatever the service says.
  const isOwn = from?.startsWith(`${input.to}/`);
  const meant = isOwn ? context.wallet.address : input.meant;
  const to = await resolveRecipient(context, payer.address, input.to, { meant, later: pinLater });
  const kind = paymentKind(context, payer, to, input.public);
  const units = parseAmount(input.amount, asset.decimals);
  const binding = bindingBytes(input.binding, kind);
  const payment = { to, asset, units, kind, memo: input.memo, binding, counted: true };
  return { payer, asset, payment, from, said: detailsBody(input) };
}

/** Returns the body of `POST /v1/transfers`, without the document. */
export function bodyWithout(
  to: string,
  { asset, payment, from, said }: PaymentPlan,
): Omit<ClientSignedTransferBody, "client_signed"> {
  return { to, ...(from && { from }), asset: asset.symbol, confidential: payment.kind !== "release", ...said };
}
