import { type Address, type Hex, isAddressEqual } from "viem";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { formatAmount, parseAmount } from "@/lib/money";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";
import type { TextStore } from "../context/text-store";
import { type Challenge, challengeBinding } from "./challenge";
import { ExactPayments } from "./exact-payment";
import { offeredNonces, presentedNonce } from "./nonces";
import { type OpenOffer, OpenOffers } from "./open-offers";
import { payOffer } from "./pay-offer";
import { prepareOffer } from "./prepare-offer";
import { isPrivate } from "./seller-request";
import { soldMemo } from "./sold-memo";
import { type Extra, networkName, type PaymentRequirements, readExtra, SCHEME } from "./wire";

/** Offers that are remembered at most, oldest out first. */
const REMEMBERED = 1_000;

/** A request that carries a payment goes where it was meant to go, or nowhere. */
const PAYMENT_HEADERS = ["payment-signature", "x-payment"];

/**
 * Pays over HTTP 402 (x402 version 2, scheme `confidential`): register it with an `x402Client`, and give `fetch` to
 * `wrapFetchWithPayment`. With an API key it pays under the policy of its agent, and presents the payment. With the wallet alone
 * it signs a payment here, which the seller sends.
 */
export class PayingScheme {
  readonly scheme = SCHEME;
  /** Which request each offer came from, by its nonce. */
  private readonly seen = new Map<Hex, { url: string; method: string }>();
  private readonly open: OpenOffers;
  /** What payments of this process that were not served yet are for, by their nonces. */
  private readonly places = new Map<string, string>();
  /** Pays sellers that take public payments only. */
  readonly exact: ExactPayments;
  /** For the client's own spend controls, which ask without waiting. */
  private assets: readonly Asset[] = [];

  constructor(
    private readonly context: Context,
    private readonly fetched: typeof fetch,
    texts: TextStore,
    /** Whose payments are remembered together: the API key or the wallet when left out. */
    private readonly payer?: string,
  ) {
    this.open = new OpenOffers(texts);
    this.exact = new ExactPayments(context, texts, this.payer);
  }

  /** Reads the network's assets. Call it once, before the first payment. */
  async ready(): Promise<this> {
    this.assets = (await this.context.info()).assets;
    return this;
  }

  /**
   * `fetch`, which also remembers which address an offer came from: a payment is for what this program asked for, not for what
   * a server in between names. It follows no redirect with a payment.
   */
  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const credential = request.headers.get("authorization");
    const pays = PAYMENT_HEADERS.some((name) => request.headers.has(name)) || /^payment /i.test(credential ?? "");
    const response = await this.fetched(pays ? new Request(request, { redirect: "error" }) : request);
    if (response.status === 402) for (const nonce of offeredNonces(response)) this.remember(nonce, request);
    if (pays && response.ok) await this.served(request);
    return response;
  };

  findDefaultAsset(asset: string): { asset: string; decimals: number; symbol: string } | undefined {
    const known = this.assets.find(({ address }) => address === asset.toLowerCase());
    // A price is in the token's own smallest units, which may be finer than the ledger's.
    return known && { asset, decimals: known.decimals + String(known.unit).length - 1, symbol: known.symbol };
  }

  /** Whether an offer is in an asset, and asks for at most `max` of it. @throws InvalidAmount for a `max` that is none */
  isAtMost({ asset, amount }: Pick<PaymentRequirements, "asset" | "amount">, max: string, symbol: string): boolean {
    const known = this.assets.find(({ address }) => address === asset.toLowerCase());
    return known?.symbol === symbol && BigInt(amount) <= parseAmount(max, known.decimals) * known.unit;
  }

  /**
   * Pays what an offer asks for, and returns what shows it.
   *
   * @throws HalcyonError `invalid_request` for an offer that came from somewhere else or is another ledger's,
   * `policy_violation` and others of `transfers.create`; PaymentHeld when the owner has to approve it first
   */
  async createPaymentPayload(
    x402Version: number,
    requirements: PaymentRequirements,
    { again = false }: { again?: boolean; extensions?: unknown } = {},
  ): Promise<{ x402Version: number; payload: Record<string, unknown> }> {
    const extra = readExtra(requirements.extra);
    if (!extra) throw refused("can't be read");
    const { method, resource } = extra;
    const { payTo, amount } = requirements;
    const { context } = this;
    const payer = this.payer ?? (context.hasApiKey ? context.apiKey : context.wallet.address);
    const place = [payer, method, resource, payTo, requirements.asset, amount].join("\n");
    const { asset, challenge } = await this.challengeOf(requirements, extra);
    this.checkMode(requirements);
    const earlier = again ? undefined : await this.stillOpen(place);
    const offer = earlier ?? { extra };
    const { nonce, expires, proof } = offer.extra;
    const bound: Challenge = { ...challenge, nonce, expires: BigInt(expires) };
    await this.open.set(place, offer);
    this.places.set(nonce, place);
    const memo = soldMemo(bound);
    const payment = {
      to: challenge.payTo,
      amount: formatAmount(challenge.amount / asset.unit, asset.decimals),
      asset: asset.symbol,
      binding: toHex(challengeBinding(bound)),
      idempotencyKey: `402-${nonce.slice(2)}`,
      ...(memo !== undefined && { memo }),
    };
    const issued = { nonce, expires, proof };
    if (!context.hasApiKey) {
      const created = await prepareOffer(context, bound, asset, payment, earlier !== undefined);
      return { x402Version, payload: { ...created, ...issued } };
    }
    const { transaction } = await payOffer(context, payment, offer, {
      held: () => this.open.set(place, offer),
      refused: () => this.forget(nonce),
    });
    return { x402Version, payload: { mode: "paid", transaction, ...issued } };
  }

  /** What leaves this machine unpaid, the seller has to send. */
  private checkMode({ extra: { modes } }: PaymentRequirements): void {
    const takes = Array.isArray(modes) ? modes : [];
    if (!takes.includes(this.context.hasApiKey ? "paid" : "prepared")) {
      throw refused(this.context.hasApiKey ? "takes no payment that was made before" : "needs an API key");
    }
  }

  /** An offer for the same that may have been paid already, while its seller still takes it. */
  private async stillOpen(place: string): Promise<OpenOffer | undefined> {
    const offer = await this.open.get(place);
    if (!offer || BigInt(offer.extra.expires) > (await (await this.context.chain()).now())) return offer;
    throw new HalcyonError(
      "policy_violation",
      "An earlier payment for this was not served, and its offer has expired. Look at it, then ask once with `again`.",
    );
  }

  /** Forgets a payment: the next request for the same pays again. */
  async forget(nonce: string): Promise<void> {
    const place = this.places.get(nonce);
    this.places.delete(nonce);
    if (place !== undefined) await this.open.delete(place);
  }

  /** The seller took the payment of this request. */
  private async served(request: Request): Promise<void> {
    const nonce = presentedNonce(request.headers);
    // What was served stays served: a file that can't be removed costs a later request its freshness, and no money.
    if (nonce) await this.forget(nonce).catch(() => {});
  }

  /** The offer as a challenge, once it is clear that it is for this program's request, on this ledger. */
  private async challengeOf(
    requirements: PaymentRequirements,
    { ledger, method, resource, nonce, expires }: Extra,
  ): Promise<{ asset: Asset; challenge: Challenge }> {
    const [info, scope] = await Promise.all([this.context.info(), this.context.scope()]);
    if (requirements.network !== networkName(info.chainId)) throw refused("is not of this network");
    if (!isAddressEqual(ledger, scope.ledger)) throw refused("is of another ledger");
    const asked = this.seen.get(nonce);
    if (asked === undefined || originOf(resource) !== new URL(asked.url).origin) {
      throw refused("is for another server than the one that was asked");
    }
    if (!isPrivate(asked.url)) throw refused("came over plain HTTP");
    if (asked.method !== method) throw refused("is for another method");
    const asset = info.assets.find(({ address }) => address === requirements.asset.toLowerCase());
    const amount = /^[1-9]\d{0,77}$/.test(requirements.amount) ? BigInt(requirements.amount) : 0n;
    if (!asset || amount === 0n || amount % asset.unit !== 0n)
      throw refused("names no amount of an asset of this ledger");
    const [payTo, token] = [requirements.payTo.toLowerCase() as Address, asset.address];
    const terms = { method, resource, nonce, expires: BigInt(expires) };
    return { asset, challenge: { scope, payTo, asset: token, amount, ...terms } };
  }

  private remember(nonce: Hex, { url, method }: Request): void {
    this.seen.set(nonce, { url, method });
    for (const oldest of this.seen.keys()) {
      if (this.seen.size <= REMEMBERED) break;
      this.seen.delete(oldest);
    }
  }
}

const refused = (why: string) => new HalcyonError("invalid_request", `The offer ${why}. Nothing was paid.`);

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : null);
