import type { Address, Hex } from "viem";
import { formatAmount } from "@/lib/base/money";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import { getOnly } from "../api/only";
import type { ExactAuthorization, Transfer } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { notServed, type OpenPayments } from "./open-payments";
import { type LoadBlind, payOffer } from "./pay-offer";
import { EXACT, type PaymentRequirements } from "./wire";

/** A payment in the form in which the buyer presents it to an `exact` seller. */
export interface PresentedExact {
  payload: Record<string, unknown>;
  /** The transaction of the payment to the one-time address. */
  transaction: Hex;
  /** Unix seconds. */
  validBefore: number;
  /** The seller has served: the next such request pays again. Failing to remove the record costs no money. */
  served(): Promise<void>;
}

/**
 * Pays sellers that accept only public payments. Needs an API key: the service signs, under the policy of the key's
 * agent.
 */
export class ExactPayments {
  constructor(
    private readonly context: Context,
    private readonly payments: OpenPayments,
    private readonly loadBlind: LoadBlind,
  ) {}

  /**
   * Pays what an offer asks for, or continues an earlier payment for the same request that was not served.
   *
   * @throws HalcyonError `policy_violation` (`public_payments_not_allowed`) and others of `transfers.create`;
   * PaymentHeld
   */
  async pay(
    request: Pick<Request, "url" | "method">,
    requirements: PaymentRequirements,
    asset: Asset,
    again: boolean,
  ): Promise<PresentedExact> {
    const { context, payments } = this;
    if (!context.hasApiKey) {
      const why = "This seller takes public payments only, which needs an API key of an agent. Nothing was paid.";
      throw new HalcyonError("invalid_request", why);
    }
    const recorded = await payments.begin(request, requirements, again, () => ({
      key: `402-exact-${crypto.randomUUID()}`,
    }));
    const { payTo, amount } = requirements;
    const payment = {
      to: payTo.toLowerCase(),
      amount: formatAmount(BigInt(amount) / asset.unit, asset.decimals),
      asset: asset.symbol,
      public: true,
      exact: true,
      idempotencyKey: recorded.open.key,
    };
    const { transaction, transferId } = await payOffer(context, payment, payments, recorded, this.loadBlind);
    const paid = await getOnly<Transfer>(context, "transfers", "transfer_id", transferId, { include: EXACT });
    const { exact: authorization } = paid;
    if (authorization?.pay_to.toLowerCase() !== payment.to) {
      const why = "The service authorized another seller than the one that asked. Nothing was presented.";
      throw new HalcyonError("unavailable", why);
    }
    const now = Number(await (await context.chain()).now());
    const { valid_before: validBefore } = authorization;
    if (validBefore <= now) throw notServed(" in time. What the seller did not take goes back to the owner's wallet");
    const served = () => payments.put(recorded).catch(() => {});
    return { payload: payloadOf(authorization, payTo, amount), transaction, validBefore, served };
  }
}

/** Returns the payload for `@x402/evm`. The price comes from the offer, because the service returns no amount. */
function payloadOf(authorization: ExactAuthorization, to: string, value: string): Record<string, unknown> {
  const { one_time_address: from, valid_after, valid_before, nonce, signature } = authorization;
  const times = { validAfter: String(valid_after), validBefore: String(valid_before) };
  return { signature, authorization: { from: from as Address, to, value, ...times, nonce } };
}
