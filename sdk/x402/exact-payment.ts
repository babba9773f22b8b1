import type { Address, Hex } from "viem";
import { formatAmount } from "@/lib/money";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { ExactAuthorization, Transfer } from "../api/resources/transfers";
import type { Context } from "../context/context";
import type { TextStore } from "../context/text-store";
import { payOffer } from "./pay-offer";
import type { PaymentRequirements } from "./wire";

/** A standard scheme of x402: the seller, or its facilitator, collects the payment with an authorization (EIP-3009). */
export const EXACT = "exact";

/** A payment in the form in which the buyer presents it to an `exact` seller. */
export interface PresentedExact {
  payload: Record<string, unknown>;
  /** The transaction of the payment to the one-time address. */
  transaction: Hex;
  /** Unix seconds. */
  validBefore: number;
}

/**
 * A payment that is not yet collected and served. Repeating the same request continues it, so nothing is paid twice.
 */
interface OpenPayment {
  key: string;
  /** When the payment was begun, in milliseconds. */
  begun: number;
  /** Set while the payment awaits approval. */
  transactionId?: string;
}

/** How long the service remembers an `Idempotency-Key`, minus an hour. In milliseconds. */
const KNOWN_MS = 23 * 3_600_000;

/**
 * Pays sellers that accept only public payments. Needs an API key: the service signs, under the policy of the key's
 * agent.
 */
export class ExactPayments {
  constructor(
    private readonly context: Context,
    private readonly texts: TextStore,
    /** Groups payments that belong together. Default: the API key. */
    private readonly payer?: string,
  ) {}

  /**
   * Pays what an offer asks for, or continues an earlier payment for the same offer that was not served.
   *
   * @throws HalcyonError `policy_violation` (`public_payments_not_allowed`) and others of `transfers.create`;
   * PaymentHeld
   */
  async pay(
    { url, method }: Pick<Request, "url" | "method">,
    requirements: PaymentRequirements,
    asset: Asset,
    again: boolean,
  ): Promise<PresentedExact> {
    const { context } = this;
    if (!context.hasApiKey) throw needsKey();
    const place = this.placeOf({ url, method }, requirements);
    const earlier = again ? undefined : await this.stillOpen(place);
    const open = earlier ?? { key: `402-exact-${crypto.randomUUID()}`, begun: Date.now() };
    await this.set(place, open);
    const { payTo, amount } = requirements;
    const payment = {
      to: payTo.toLowerCase(),
      amount: formatAmount(BigInt(amount) / asset.unit, asset.decimals),
      asset: asset.symbol,
      public: true,
      exact: true,
      idempotencyKey: open.key,
    };
    const progress = { held: () => this.set(place, open), refused: () => this.texts.delete(place) };
    const { transaction, transferId } = await payOffer(context, payment, open, progress, earlier !== undefined);
    const request = { headers: context.bearer, query: { include: EXACT } };
    const { body } = await context.http.send("GET", `/v1/transfers/${transferId}`, request);
    const { exact: authorization } = body as Transfer;
    if (authorization?.pay_to.toLowerCase() !== payment.to) throw paidOtherwise();
    const now = Number(await (await context.chain()).now());
    if (authorization.valid_before <= now) throw tooLate();
    return { payload: payloadOf(authorization, payTo, amount), transaction, validBefore: authorization.valid_before };
  }

  /** The seller has served: the next such request pays again. Failing to remove the record costs no money. */
  async served(request: Pick<Request, "url" | "method">, requirements: PaymentRequirements): Promise<void> {
    await this.texts.delete(this.placeOf(request, requirements)).catch(() => {});
  }

  private placeOf({ url, method }: Pick<Request, "url" | "method">, requirements: PaymentRequirements): string {
    const { payTo, asset, amount } = requirements;
    return [EXACT, this.payer ?? this.context.apiKey, method, url, payTo, asset, amount].join("\n");
  }

  private async set(place: string, open: OpenPayment): Promise<void> {
    await this.texts.set(place, JSON.stringify(open));
  }

  private async stillOpen(place: string): Promise<OpenPayment | undefined> {
    const text = await this.texts.get(place);
    if (text === undefined) return undefined;
    const open = parsed(text);
    if (Date.now() - open.begun > KNOWN_MS) throw tooLate();
    return open;
  }
}

function parsed(text: string): OpenPayment {
  try {
    const { key, begun, transactionId } = JSON.parse(text) as Record<string, unknown>;
    if (typeof key === "string" && typeof begun === "number") {
      return { key, begun, ...(typeof transactionId === "string" && { transactionId }) };
    }
  } catch {
    // Reported below.
  }
  throw new HalcyonError("unavailable", "What this machine remembers of an earlier payment for this can't be read.");
}

/** Returns the payload for `@x402/evm`. The price comes from the offer, because the service returns no amount. */
function payloadOf(authorization: ExactAuthorization, to: string, value: string): Record<string, unknown> {
  const { one_time_address: from, valid_after, valid_before, nonce, signature } = authorization;
  const times = { validAfter: String(valid_after), validBefore: String(valid_before) };
  return { signature, authorization: { from: from as Address, to, value, ...times, nonce } };
}

const needsKey = () =>
  new HalcyonError(
    "invalid_request",
    "This seller takes public payments only, which needs an API key of an agent. Nothing was paid.",
  );

const tooLate = () =>
  new HalcyonError(
    "policy_violation",
    "An earlier payment for this was not served in time. What the seller did not take goes back to the owner's wallet. " +
      "Look at it, then ask once with `again`.",
  );

const paidOtherwise = () =>
  new HalcyonError(
    "unavailable",
    "The service authorized another seller than the one that asked. Nothing was presented.",
  );
