import { type Address, type Hex, isAddress, zeroAddress } from "viem";
import { formatAmount, parseAmount } from "@/lib/base/money";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Buyer } from "./buyer";
import type { PayingScheme } from "./paying-scheme";
import { refundRequest } from "./refund-request";
import { EXACT, networkName, type PaymentRequirements, readExtra, SCHEME } from "./wire";

/** What a seller asks for. */
export interface Offer {
  /** The price, as a decimal string. */
  amount: string;
  asset: string;
  pay_to: Address;
  resource: string;
  /** Whether the seller accepts only public payments (scheme `exact`): anyone can see the payment and its amount. */
  public: boolean;
}

/** How much one request may cost. */
export interface PriceLimit {
  max: string;
  /** The asset of `max`. Offers in another asset are not paid. */
  asset: string;
  /** Pays even if an earlier payment for the same request was not served. */
  again: boolean;
}

/** The buyer's receipt for a paid response. */
export interface PaymentReceipt extends Offer {
  /**
   * `unknown`: the seller has a payment that it may send until the offer expires, and has neither served nor said that
   * it sent it. Repeating the same request never pays twice, and shows the outcome.
   */
  outcome: "paid" | "unknown";
  /** Null until the seller says in which transaction it sent the payment. */
  tx_hash: Hex | null;
  /**
   * For a public payment: until when the seller may collect it. What it doesn't collect goes back to the owner's
   * wallet.
   */
  valid_before?: string;
  /** Set if the seller did not serve what was paid: a text for its support. Send it only to the seller. */
  refund_request?: string;
}

/** A response, and the payment for it; null if nothing was paid. */
export interface PaidResponse {
  response: Response;
  payment: PaymentReceipt | null;
}

/** An offer from a response, with its asset. */
export interface FoundOffer {
  requirements: PaymentRequirements;
  asset: Asset;
}

/** The chain that is paid on, and the assets of its ledger. */
type Network = Awaited<ReturnType<Buyer["info"]>>;

/** How often a paid request whose response was lost is sent again, with the same payment. */
const SENT_AGAIN = 2;

/**
 * Returns the first offer that this network can pay in the given asset; null when there is none. Prefers confidential
 * offers over public ones.
 */
export function findOffer(response: Response, info: Network, symbol: string): FoundOffer | null {
  const header = response.status === 402 ? response.headers.get("payment-required") : null;
  if (!header) return null;
  try {
    const { accepts } = JSON.parse(atob(header)) as { accepts: PaymentRequirements[] };
    for (const scheme of [SCHEME, EXACT]) {
      for (const requirements of accepts) {
        const asset = requirements.scheme === scheme && payableAsset(requirements, info);
        if (asset && asset.symbol === symbol) return { requirements, asset };
      }
    }
  } catch {
    // Not a valid offer.
  }
  return null;
}

/** Returns the asset of an offer if this network can pay it; undefined otherwise. */
function payableAsset(requirements: PaymentRequirements, { chainId, assets }: Network): Asset | undefined {
  const { scheme, network, payTo, amount, extra } = requirements;
  const asset = assets.find(({ address }) => address === requirements.asset.toLowerCase());
  const readable = isAddress(payTo, { strict: false }) && /^\d{1,78}$/.test(amount);
  if (!asset || !readable || network !== networkName(chainId)) return undefined;
  return (scheme === EXACT ? isByAuthorization(requirements, asset) : readExtra(extra)) ? asset : undefined;
}

/** Reports whether an `exact` offer accepts an EIP-3009 authorization for an amount that the ledger can pay. */
function isByAuthorization({ amount, extra }: PaymentRequirements, { address, unit }: Asset): boolean {
  const { assetTransferMethod: how = "eip3009" } = extra ?? {};
  return how === "eip3009" && address !== zeroAddress && BigInt(amount) > 0n && BigInt(amount) % unit === 0n;
}

/** Converts an offer to the form returned to callers. */
export function describeOffer({ requirements, asset }: FoundOffer, url: string): Offer {
  const { scheme, amount, payTo, extra } = requirements;
  const isPublic = scheme === EXACT;
  return {
    amount: formatAmount(BigInt(amount) / asset.unit, asset.decimals),
    asset: asset.symbol,
    pay_to: payTo as Address,
    resource: isPublic ? url : String(extra.resource),
    public: isPublic,
  };
}

/**
 * Sends a request, and pays once what its server asks for, at most `max`. If the response to the paid request is lost,
 * sends it again with the same payment, which the seller accepts only once.
 *
 * @throws HalcyonError `invalid_request` for a price above `max` and for an offer that can't be paid; like
 * `transfers.create`; `outcome_unknown` when the payment was made and no response came
 */
export async function payingFetch(
  scheme: PayingScheme,
  info: Network,
  request: Request,
  { max, asset: symbol, again }: PriceLimit,
): Promise<PaidResponse> {
  const paid = request.clone();
  const response = await scheme.fetch(request);
  const found = findOffer(response, info, symbol);
  if (!found) return { response, payment: null };
  const { requirements, asset } = found;
  const offer = describeOffer(found, request.url);
  if (!offer.public && requirements.extra.method !== request.method) {
    throw new HalcyonError("invalid_request", "The offer is for another method. Nothing was paid.");
  }
  if (BigInt(requirements.amount) > parseAmount(max, asset.decimals) * asset.unit) {
    const message = "The price is more than max. Look at it first (x402.price, --dry-run). Nothing was paid.";
    throw new HalcyonError("invalid_request", message, { param: "max" });
  }
  const presented = offer.public ? await scheme.exact.pay(request, requirements, asset, again) : null;
  const { payload } = presented ?? (await scheme.createPaymentPayload(2, requirements, { again }));
  const header = btoa(JSON.stringify({ x402Version: 2, accepted: requirements, payload }));
  paid.headers.set("payment-signature", header);
  const { transaction } = presented ?? (payload as { transaction?: Hex });
  for (let attempt = 0; ; attempt++) {
    try {
      const served = await scheme.fetch(paid.clone());
      if (!presented) return { response: served, payment: receiptOf(offer, requirements, payload, served) };
      if (served.ok) await presented.served();
      const valid_before = new Date(presented.validBefore * 1000).toISOString();
      return { response: served, payment: { ...offer, outcome: "paid", tx_hash: presented.transaction, valid_before } };
    } catch (cause) {
      const aborted = cause instanceof HalcyonError && cause.code === "aborted";
      if (!aborted && attempt < SENT_AGAIN) continue;
      const what = transaction ? `It was paid (${transaction})` : "It may have been paid";
      const message = `${what}, and no response came. Ask for the same again: nothing is paid twice.`;
      throw new HalcyonError("outcome_unknown", message, { cause });
    }
  }
}

/** Returns the receipt for a response. */
function receiptOf(
  offer: Offer,
  requirements: PaymentRequirements,
  payload: Record<string, unknown>,
  response: Response,
): PaymentReceipt {
  const transaction = (payload.transaction as Hex | undefined) ?? sentIn(response);
  if (!transaction) return { ...offer, outcome: response.ok ? "paid" : "unknown", tx_hash: null };
  const { nonce, expires, proof } = payload;
  const paidFor = { ...requirements, extra: { ...requirements.extra, nonce, expires, proof } };
  return {
    ...offer,
    outcome: "paid",
    tx_hash: transaction,
    ...(!response.ok && { refund_request: refundRequest({ requirements: paidFor, transaction }) }),
  };
}

/** Returns the transaction that a response names. */
function sentIn(response: Response): Hex | undefined {
  try {
    const { transaction } = JSON.parse(atob(response.headers.get("payment-response") ?? "")) as {
      transaction: unknown;
    };
    return typeof transaction === "string" && /^0x[0-9a-f]{64}$/i.test(transaction) ? (transaction as Hex) : undefined;
  } catch {
    return undefined;
  }
}
