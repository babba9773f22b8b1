import { newSeed, paymentSeed } from "@/lib/ledger/crypto/seed";
import type { Context } from "./context";
import { preparePayment } from "./payment";
import { bodyWithout, planPayment } from "./payment-plan";
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

/**
 * Builds, proves and signs a payment on this machine without sending it: the body of `POST /v1/transfers`, good for five
 * minutes (`expirySeconds`) and until the budget changes (`budget_changed`: prepare it again under the same key). The service sees no amount. Needs the wallet.
 *
 * @example
 * const body = await owner.prepareTransfer({ to: "@bob", amount: "25" });
 * // On the server, which holds the API key and never the wallet: POST /v1/transfers with this body.
 * @throws HalcyonError `insufficient_balance`, `recipient_not_found`, `recipient_not_confidential_ready`
 */
export async function prepareTransfer(context: Context, input: PrepareTransferInput): Promise<PreparedTransferBody> {
  const plan = await planPayment(context, input);
  const [{ seedKey }, scope, chain] = await Promise.all([context.vault(), context.scope(), context.chain()]);
  const { idempotencyKey: id } = input;
  const seed = id === undefined ? newSeed() : paymentSeed(seedKey, scope, plan.payer.address, id);
  const attempted = { seed, deadline: await chain.deadline() };
  const prepared = await preparePayment(context, plan.payer, plan.payment, attempted);
  return { ...bodyWithout(input.to, plan), prepared };
}
