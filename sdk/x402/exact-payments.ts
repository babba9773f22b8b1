import type { Address, Hex } from "viem";
import { formatAmount } from "@/lib/base/money";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { ExactAuthorization } from "../api/resources/transfers";
import type { Buyer } from "./buyer";
import { notServed, type OpenPayments } from "./open-payments";
import { payOffer } from "./pay-offer";
import type { PaymentRequirements } from "./wire";

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
    private readonly buyer: Buyer,
    private readonly payments: OpenPayments,
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
    const { buyer, payments } = this;
    const { byService } = buyer;
    if (!byService) {
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
      public: true as const,
      exact: true as const,
      idempotencyKey: recorded.open.key,
    };
    const { transaction, transferId } = await payOffer(byService, payment, payments, recorded);
    const { exact: authorization } = await byService.exact(transferId);
    if (authorization?.pay_to.toLowerCase() !== payment.to) {
      const why = "The service authorized another seller than the one that asked. Nothing was presented.";
      throw new HalcyonError("unavailable", why);
    }
    const now = Number(await buyer.now());
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
