import { type Address, type Hex, isAddressEqual } from "viem";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { parseAmount } from "@/lib/money";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";
import { type Challenge, challengeBinding, issuedProof, wasIssued } from "./challenge";
import type { PaymentClaims } from "./claims";
import { type Finality, findPayment } from "./find-payment";
import {
  type Extra,
  type Fault,
  networkName,
  type PaymentPayload,
  type PaymentRequirements,
  PER_CHALLENGE,
  readExtra,
  readPresented,
  SCHEME,
  type SettleResponse,
  type VerifyResponse,
} from "./wire";

/** How a seller sells. */
export interface SellingOptions {
  /** Which payments were taken; shared by all processes of the seller. */
  claims: PaymentClaims;
  /** How sure a payment has to be, by its price in whole tokens. `latest` (one block) when left out. */
  finality?: ((price: number) => Finality) | undefined;
  /** Seconds in which a challenge can be paid: 86,400 when left out, for payments that await approval. */
  validFor?: number | undefined;
  /** Seconds that one request waits for its payment to be final: 30 when left out. */
  patience?: number | undefined;
  /** The address under which buyers know this server, such as `https://api.example.com`, when a proxy stands in front. */
  origin?: string | undefined;
}

/** A request as x402 hands it to a scheme. */
interface Transport {
  request?: { adapter?: { getUrl(): string; getMethod(): string } };
}

type Price = string | number | { asset: string; amount: string; extra?: Record<string, unknown> };

const FIRST_PAUSE_MS = 50;

/** What verifying found: who paid, or what is wrong. */
type Verdict = { payer: Address; transaction: Hex } | { fault: Fault };

/**
 * Sells over HTTP 402 (x402 version 2, scheme `confidential`): `scheme` for an `x402ResourceServer`, `facilitator` in place of
 * a remote one. Both check in this process, with a viewing key: no one else learns which payment had which price.
 */
export class SellingScheme {
  readonly scheme = SCHEME;
  readonly defaultAssetTransferMethod = "default";
  readonly paymentFlows = {
    default: {
      supported: ["authorization", "upfront"] as ("authorization" | "upfront")[],
      default: "authorization" as const,
    },
  };
  readonly dynamicExtraFields = PER_CHALLENGE;

  constructor(
    private readonly context: Context,
    private readonly options: SellingOptions,
  ) {}

  /** The price in the token's smallest units: `"$0.05"` and `0.05` are USDG. */
  async parsePrice(price: Price): Promise<{ asset: string; amount: string; extra?: Record<string, unknown> }> {
    if (typeof price === "object") return price;
    const asset = await this.context.asset("USDG");
    const units = parseAmount(String(price).replace(/^\$/, ""), asset.decimals);
    return { asset: asset.address, amount: String(units * asset.unit) };
  }

  async enhancePaymentRequirements(requirements: PaymentRequirements): Promise<PaymentRequirements> {
    const { account } = await this.context.viewer();
    if (isAddressEqual(requirements.payTo as Address, account)) return requirements;
    throw new HalcyonError("invalid_request", "payTo is not the account of the viewing key.", { param: "payTo" });
  }

  /** Adds a challenge to each offer of this scheme: fresh, bound to the URL and method that were requested. */
  async enrichPaymentRequiredResponse(offer: {
    requirements: PaymentRequirements[];
    transportContext?: unknown;
  }): Promise<PaymentRequirements[]> {
    const adapter = (offer.transportContext as Transport | undefined)?.request?.adapter;
    if (!adapter) throw new HalcyonError("invalid_request", "The scheme `confidential` sells over HTTP.");
    const expires = Number(await (await this.context.chain()).now()) + (this.options.validFor ?? 86_400);
    const { viewingKey } = await this.context.viewer();
    return Promise.all(
      offer.requirements.map(async (requirements) => {
        if (requirements.scheme !== SCHEME) return requirements;
        const { ledger } = await this.context.scope();
        const extra = {
          ledger,
          method: adapter.getMethod().toUpperCase(),
          resource: this.publicUrl(adapter.getUrl()),
          nonce: toHex(randomBytes(32)),
          expires,
        };
        const challenge = await this.challengeOf(requirements, extra);
        const proof = issuedProof(viewingKey.secret, challenge);
        return { ...requirements, extra: { ...requirements.extra, ...extra, proof } };
      }),
    );
  }

  /** In place of a facilitator. */
  readonly facilitator = {
    getSupported: async () => {
      const { chainId } = await this.context.info();
      const kinds = [{ x402Version: 2, scheme: SCHEME, network: networkName(chainId) }];
      return { kinds, extensions: [] as string[], signers: {} as Record<string, string[]> };
    },
    verify: async (payload: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse> => {
      const verdict = await this.check(payload, requirements);
      if ("fault" in verdict) return { isValid: false, invalidReason: verdict.fault };
      return { isValid: true, payer: verdict.payer };
    },
    /** The payment was made before it was presented: there is nothing left to send, and all checks are made again. */
    settle: async (payload: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> => {
      const verdict = await this.check(payload, requirements);
      const { network } = requirements;
      if ("fault" in verdict) return { success: false, errorReason: verdict.fault, transaction: "", network };
      return { success: true, network, ...verdict };
    },
  };

  private async check(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verdict> {
    const [offered, presented] = [readExtra(requirements.extra), readPresented(payload.payload)];
    if (!offered || !presented) return { fault: "invalid_payload" };
    const { transaction, proof, ...issued } = presented;
    const challenge = await this.challengeOf(requirements, { ...offered, ...issued });
    const viewer = await this.context.viewer();
    if (!wasIssued(viewer.viewingKey.secret, challenge, proof)) return { fault: "unknown_challenge" };
    const asset = await this.assetAt(requirements.asset);
    const whole = Number(challenge.amount / asset.unit) / 10 ** asset.decimals;
    const finality = this.options.finality?.(whole) ?? "latest";
    const found = await this.wait(() =>
      findPaymentOf(this.context, { ...challenge, unit: asset.unit }, transaction, finality),
    );
    if (typeof found === "string") return { fault: found };
    const taken = await this.options.claims.claim(found.note, toHex(challengeBinding(challenge)));
    return taken ? { payer: found.payer, transaction } : { fault: "payment_already_used" };
  }

  /** Asks again while the payment may still arrive. */
  private async wait<T>(look: () => Promise<T | Fault>): Promise<T | Fault> {
    const end = Date.now() + 1000 * (this.options.patience ?? 30);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, 1000)) {
      const found = await look();
      const early = found === "payment_not_found" || found === "payment_not_final";
      if (!early || Date.now() + pause > end) return found;
      await this.context.call.pause(pause);
    }
  }

  private async challengeOf(
    { payTo, asset, amount }: PaymentRequirements,
    { ledger, method, resource, nonce, expires }: Omit<Extra, "proof">,
  ): Promise<Challenge> {
    const scope = await this.context.scope();
    const lower = (address: string) => address.toLowerCase() as Address;
    if (lower(ledger) !== lower(scope.ledger)) throw new HalcyonError("invalid_request", "This is another ledger.");
    const terms = { method, resource, nonce, expires: BigInt(expires) };
    return { scope, payTo: lower(payTo), asset: lower(asset), amount: BigInt(amount), ...terms };
  }

  private async assetAt(address: string): Promise<Asset> {
    const { assets } = await this.context.info();
    const asset = assets.find((known) => isAddressEqual(known.address, address as Address));
    if (!asset) throw new HalcyonError("invalid_request", "The ledger does not have this asset.", { param: "asset" });
    return asset;
  }

  private publicUrl(url: string): string {
    const { origin } = this.options;
    if (origin === undefined) return url;
    const { pathname, search } = new URL(url);
    return new URL(pathname + search, origin).href;
  }
}

async function findPaymentOf(
  context: Context,
  challenge: Challenge & { unit: bigint },
  transaction: Hex,
  finality: Finality,
) {
  const [chain, viewer] = await Promise.all([context.chain(), context.viewer()]);
  return findPayment(chain, viewer, challenge, transaction, finality);
}
