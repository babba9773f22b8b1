import { type Address, type Hex, isAddressEqual } from "viem";
import { formatAmount, parseAmount } from "@/lib/base/money";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import { throwHalcyonError } from "../api/to-halcyon-error";
import { fromBase64UrlJson } from "./base64-url-json";
import type { Buyer } from "./buyer";
import { type Challenge, challengeBinding } from "./challenge";
import { ExactPayments } from "./exact-payments";
import { keyOf, notServed, OpenPayments, type RecordedPayment } from "./open-payments";
import { payOffer } from "./pay-offer";
import { isPrivate } from "./seller-request";
import { soldMemo } from "./sold-memo";
import { type Extra, networkName, type PaymentRequirements, readExtra, SCHEME } from "./wire";

/** The largest number of offers to remember; the oldest are dropped first. */
const REMEMBERED = 1_000;

/** An offer that ends earlier is not paid: the payment may be in a block after its end. */
const LEAST_SECONDS = 60;

/** Headers that carry a payment. Requests with them must not follow a redirect. */
const PAYMENT_HEADERS = ["payment-signature", "x-payment"];

type Asked = Pick<Request, "url" | "method">;

/**
 * Pays over HTTP 402 (x402 version 2, scheme `confidential`). Register it with an `x402Client`, and pass `fetch` to
 * `wrapFetchWithPayment`. With an API key, it pays under the policy of the key's agent and presents the payment. With
 * only the wallet, it signs a payment on this machine, which the seller sends.
 */
export class PayingScheme {
  readonly scheme = SCHEME;
  /** The request that each offer came from, by the offer's nonce. */
  private readonly seen = new Map<Hex, Asked>();
  private readonly payments: OpenPayments;
  /** The payments of this process that are not served yet, by nonce. */
  private readonly unserved = new Map<string, RecordedPayment>();
  /** Pays sellers that accept only public payments. */
  readonly exact: ExactPayments;
  /** Loaded in advance for the client's own spend controls, which read assets synchronously. */
  private assets: readonly Asset[] = [];

  constructor(private readonly buyer: Buyer) {
    this.payments = new OpenPayments(buyer);
    this.exact = new ExactPayments(buyer, this.payments);
  }

  /** Loads the network's assets. Call it once, before the first payment. */
  async ready(): Promise<this> {
    this.assets = (await this.buyer.info()).assets;
    return this;
  }

  /**
   * A `fetch` that also remembers which request an offer came from, so that a payment is for what this program
   * requested, not for what a server in between names. It follows no redirect with a payment.
   */
  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const credential = request.headers.get("authorization");
    const pays = PAYMENT_HEADERS.some((name) => request.headers.has(name)) || /^payment /i.test(credential ?? "");
    const response = await this.buyer.fetch(pays ? new Request(request, { redirect: "error" }) : request);
    if (response.status === 402) for (const nonce of offeredNonces(response)) this.remember(nonce, request);
    if (pays && response.ok) await this.served(request);
    return response;
  };

  findDefaultAsset(asset: string): { asset: string; decimals: number; symbol: string } | undefined {
    const known = assetAt(this.assets, asset);
    // A price is in the token's own smallest units, which may be finer than the ledger's.
    return known && { asset, decimals: known.decimals + String(known.unit).length - 1, symbol: known.symbol };
  }

  /**
   * Reports whether an offer is in the given asset and asks for at most `max` of it.
   *
   * @throws InvalidAmount for an invalid `max`
   */
  isAtMost({ asset, amount }: Pick<PaymentRequirements, "asset" | "amount">, max: string, symbol: string): boolean {
    const known = assetAt(this.assets, asset);
    return known?.symbol === symbol && BigInt(amount) <= parseAmount(max, known.decimals) * known.unit;
  }

  /**
   * Pays what an offer asks for, or continues an earlier payment for the same request that was not served, and returns
   * the payload that proves it.
   *
   * @throws HalcyonError `invalid_request` for an offer that came from another server, is for another ledger or is over,
   * `policy_violation` when an earlier payment can't be continued, and others of `transfers.create`; PaymentHeld when
   * the owner has to approve the payment first
   */
  createPaymentPayload(
    x402Version: number,
    requirements: PaymentRequirements,
    options: { again?: boolean; extensions?: unknown } = {},
  ): Promise<{ x402Version: number; payload: Record<string, unknown> }> {
    return this.payloadOf(x402Version, requirements, options).catch(throwHalcyonError);
  }

  private async payloadOf(
    x402Version: number,
    requirements: PaymentRequirements,
    { again = false }: { again?: boolean },
  ): Promise<{ x402Version: number; payload: Record<string, unknown> }> {
    const extra = readExtra(requirements.extra);
    if (!extra) throw refused("can't be read");
    const { buyer, payments } = this;
    const { asked, asset, challenge } = await this.challengeOf(requirements, extra);
    this.checkMode(requirements);
    const now = Number(await buyer.now());
    const recorded = await payments.begin(asked, requirements, again, () => {
      if (extra.expires < now + LEAST_SECONDS) throw refused("is over");
      return { key: keyOf(extra.nonce), extra };
    });
    const { open, earlier } = recorded;
    const { nonce, expires, proof } = open.extra ?? extra;
    if (earlier && expires <= now) throw notServed(", and its offer has expired");
    const bound: Challenge = { ...challenge, nonce, expires: BigInt(expires) };
    this.unserved.set(nonce, recorded);
    const memo = soldMemo(bound);
    const payment = {
      to: challenge.payTo,
      amount: formatAmount(challenge.amount / asset.unit, asset.decimals),
      asset: asset.symbol,
      binding: toHex(challengeBinding(bound)),
      idempotencyKey: open.key,
      ...(memo !== undefined && { memo }),
    };
    const issued = { nonce, expires, proof };
    if (!buyer.byService) {
      const created = await buyer.prepare(bound, asset, payment, earlier).catch(async (error: unknown) => {
        // Nothing has left this machine.
        if (!earlier) await this.forget(nonce);
        throw error;
      });
      return { x402Version, payload: { ...created, ...issued } };
    }
    const { transaction } = await payOffer(buyer.byService, payment, payments, recorded);
    return { x402Version, payload: { mode: "paid", transaction, ...issued } };
  }

  /**
   * Checks that the seller supports the payment mode: a payment that leaves this machine unsent, the seller must send.
   */
  private checkMode({ extra: { modes } }: PaymentRequirements): void {
    const [mode, why] = this.buyer.byService
      ? ["paid", "takes no payment that was made before"]
      : ["client_signed", "needs an API key"];
    if (!(Array.isArray(modes) && modes.includes(mode))) throw refused(why);
  }

  /** Forgets a payment, so that the next such request pays again. */
  async forget(nonce: string): Promise<void> {
    const recorded = this.unserved.get(nonce);
    this.unserved.delete(nonce);
    if (recorded) await this.payments.put(recorded);
  }

  /** The seller has served the request, so its payment is done. */
  private async served(request: Request): Promise<void> {
    const nonce = presentedNonce(request.headers);
    // Failing to remove the record costs no money, only an error at a later request for the same.
    if (nonce) await this.forget(nonce).catch(() => {});
  }

  /** Converts an offer to a challenge after checking that it is for this program's request, on this ledger. */
  private async challengeOf(
    requirements: PaymentRequirements,
    { ledger, method, resource, nonce, expires }: Extra,
  ): Promise<{ asked: Asked; asset: Asset; challenge: Challenge }> {
    const [info, scope] = await Promise.all([this.buyer.info(), this.buyer.scope()]);
    if (requirements.network !== networkName(info.chainId)) throw refused("is not of this network");
    if (!isAddressEqual(ledger, scope.ledger)) throw refused("is of another ledger");
    const asked = this.seen.get(nonce);
    if (asked === undefined) throw refused("did not come by this buyer's `fetch`");
    if (originOf(resource) !== new URL(asked.url).origin) {
      throw refused("is for another server than the one that was asked");
    }
    if (!isPrivate(asked.url)) throw refused("came over plain HTTP");
    if (asked.method !== method) throw refused("is for another method");
    const asset = assetAt(info.assets, requirements.asset);
    const amount = /^[1-9]\d{0,77}$/.test(requirements.amount) ? BigInt(requirements.amount) : 0n;
    if (!asset || amount === 0n || amount % asset.unit !== 0n)
      throw refused("names no amount of an asset of this ledger");
    const [payTo, token] = [requirements.payTo.toLowerCase() as Address, asset.address];
    const terms = { method, resource, nonce, expires: BigInt(expires) };
    return { asked, asset, challenge: { scope, payTo, asset: token, amount, ...terms } };
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

const assetAt = (assets: readonly Asset[], asset: string) =>
  assets.find(({ address }) => address === asset.toLowerCase());

const originOf = (url: string) => (URL.canParse(url) ? new URL(url).origin : null);

/**
 * Returns the nonces of the challenges in a response, of x402 and of MPP; empty if there are none or they can't be
 * parsed.
 */
function offeredNonces({ headers }: Response): Hex[] {
  return [...ofX402(headers.get("payment-required")), ...ofMpp(headers.get("www-authenticate"))];
}

function ofX402(header: string | null): Hex[] {
  if (header === null) return [];
  try {
    const { accepts } = JSON.parse(atob(header)) as { accepts: PaymentRequirements[] };
    return accepts.flatMap(({ scheme, extra }) => (scheme === SCHEME && readExtra(extra)?.nonce) || []);
  } catch {
    return [];
  }
}

/** Parses challenges of the form `Payment …, request="<base64url of JSON>"`, one or several in a header. */
function ofMpp(header: string | null): Hex[] {
  return [...(header ?? "").matchAll(/\brequest="([A-Za-z0-9_-]+)"/g)].flatMap(([, request = ""]) => {
    try {
      const { methodDetails } = fromBase64UrlJson(request) as { methodDetails?: Record<string, unknown> };
      return readExtra(methodDetails)?.nonce ?? [];
    } catch {
      return [];
    }
  });
}

/** Returns the nonce of the challenge that a request pays; null for a request without a payment. */
function presentedNonce(headers: Headers): string | null {
  const credential = /^payment (.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  try {
    const presented = credential
      ? fromBase64UrlJson(credential)
      : JSON.parse(atob(headers.get("payment-signature") ?? ""));
    return (presented as { payload: { nonce: string } }).payload.nonce;
  } catch {
    return null;
  }
}
