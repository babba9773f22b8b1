import { type Address, isAddressEqual } from "viem";
import { parseAmount } from "@/lib/base/money";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import { issuedProof } from "./challenge";
import { type CheckingOptions, challengeFor, PaymentVerifier, type Verdict, type VerifierStep } from "./verifier";
import {
  type Extra,
  MODES,
  networkName,
  type PaymentPayload,
  type PaymentRequirements,
  PER_CHALLENGE,
  SCHEME,
  type SettleResponse,
  type VerifyResponse,
} from "./wire";

/** The options of a seller. */
export interface SellingOptions extends Omit<CheckingOptions, "claims"> {
  /**
   * The record of accepted payments, shared by all processes of the seller. Without it, the server's facilitator checks
   * payments, which must be the seller's own (`halcyon facilitator`).
   */
  claims?: CheckingOptions["claims"] | undefined;
  /**
   * Seconds within which a challenge can be paid. Default: 86,400, so that payments can await approval. Buyers pay none
   * that ends within a minute.
   */
  validFor?: number | undefined;
  /** The address under which buyers reach this server, such as `https://api.example.com`, if it is behind a proxy. */
  origin?: string | undefined;
}

/** A request as x402 passes it to a scheme. */
interface Transport {
  request?: { adapter?: { getUrl(): string; getMethod(): string } };
}

/** What x402 passes to a scheme's hooks, before it calls the facilitator. */
interface Asked {
  paymentPayload: { readonly payload: object };
  requirements: object;
}

/** The hooks that the published packages call before they call a facilitator. */
interface SellingHooks {
  onBeforeVerify?: (asked: Asked) => Promise<{ skip: true; result: VerifyResponse } | undefined>;
  onBeforeSettle?: (asked: Asked) => Promise<{ skip: true; result: SettleResponse } | { abort: true; reason: string }>;
}

type Price = string | number | { asset: string; amount: string; extra?: Record<string, unknown> };

const VALID_FOR = 86_400;

/**
 * Sells over HTTP 402 (x402 version 2, scheme `confidential`). Pass the object itself to an `x402ResourceServer` as
 * scheme, and its `facilitator` instead of a remote one. Both check payments in this process with a viewing key, so no
 * one else learns the price of a payment.
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
  private readonly verifier: PaymentVerifier | undefined;

  constructor(
    private readonly context: Context,
    private readonly options: SellingOptions,
  ) {
    const { claims } = options;
    this.verifier = claims && new PaymentVerifier(context, { ...options, claims });
  }

  /** Converts a price to the token's smallest units. `"$0.05"` and `0.05` are in USDG. */
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

  /** Refuses a facilitator that can't decrypt amounts, unless this process checks payments itself. */
  validateFacilitatorSupport(_network: string, { extra }: { extra?: Record<string, unknown> }): string | undefined {
    if (this.verifier || extra?.amounts === true) return undefined;
    return "This facilitator sees no amounts. Give the seller `claims`, or use a facilitator of its own: halcyon facilitator.";
  }

  /**
   * The hooks that run before the server calls a facilitator. With `claims`, every payment is checked here, whatever
   * facilitator the server has. The hooks must not throw: the server ignores a hook that does.
   */
  get schemeHooks(): SellingHooks {
    const { verifier } = this;
    if (!verifier) return {};
    const judge = async ({ paymentPayload, requirements }: Asked, step: VerifierStep): Promise<Verdict> => {
      const { payload } = paymentPayload as PaymentPayload;
      return verifier.check(requirements as PaymentRequirements, payload, step).catch(() => ({
        fault: "payment_not_checked" as const,
      }));
    };
    return {
      onBeforeVerify: async (asked: Asked) => {
        if (stepOf(asked.requirements as PaymentRequirements, "before") === "only") return undefined;
        return { skip: true as const, result: verified(await judge(asked, "before")) };
      },
      onBeforeSettle: async (asked: Asked) => {
        const requirements = asked.requirements as PaymentRequirements;
        const verdict = await judge(asked, stepOf(requirements, "after"));
        if ("fault" in verdict) return { abort: true as const, reason: verdict.fault };
        return { skip: true as const, result: settled(verdict, requirements) };
      },
    };
  }

  /** Adds a challenge to each offer of this scheme: new, and bound to the requested URL and method. */
  async enrichPaymentRequiredResponse(offer: {
    requirements: PaymentRequirements[];
    transportContext?: unknown;
  }): Promise<PaymentRequirements[]> {
    const adapter = (offer.transportContext as Transport | undefined)?.request?.adapter;
    if (!adapter) throw new HalcyonError("invalid_request", "The scheme `confidential` sells over HTTP.");
    const asked = { method: adapter.getMethod(), resource: this.publicUrl(adapter.getUrl()) };
    const validFor = this.options.validFor ?? VALID_FOR;
    return Promise.all(
      offer.requirements.map(async (requirements) => {
        if (requirements.scheme !== SCHEME) return requirements;
        const challenge = await issueChallenge(this.context, requirements, asked, validFor);
        return { ...requirements, extra: { ...requirements.extra, modes: MODES, ...challenge } };
      }),
    );
  }

  /** The facilitator in this process. */
  readonly facilitator = {
    getSupported: async () => {
      const { chainId } = await this.context.info();
      const kinds = [{ x402Version: 2, scheme: SCHEME, network: networkName(chainId), extra: { amounts: true } }];
      return { kinds, extensions: [] as string[], signers: {} as Record<string, string[]> };
    },
    verify: async ({ payload }: PaymentPayload, requirements: PaymentRequirements): Promise<VerifyResponse> =>
      verified(await this.checking().check(requirements, payload, "before")),
    /** Repeats all checks: a flow that settles first does not verify before. */
    settle: async ({ payload }: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse> =>
      settled(await this.checking().check(requirements, payload, stepOf(requirements, "after")), requirements),
  };

  /**
   * Returns the verifier, for protocols that call it directly: MPP.
   *
   * @throws HalcyonError `invalid_request` without `claims`
   */
  checking(): PaymentVerifier {
    if (this.verifier) return this.verifier;
    throw new HalcyonError("invalid_request", "claims is missing: payments are not checked here.", { param: "claims" });
  }

  /** Creates a new challenge for a request, from which MPP makes its own kind of offer. */
  async challenge(requirements: PaymentRequirements, { method, url }: { method: string; url: string }) {
    await this.enhancePaymentRequirements(requirements);
    const asked = { method, resource: this.publicUrl(url) };
    const challenge = await issueChallenge(this.context, requirements, asked, this.options.validFor ?? VALID_FOR);
    return { ...challenge, modes: [...MODES] };
  }

  /** Returns the id of the chain on which it sells. */
  async chainId(): Promise<number> {
    return (await this.context.info()).chainId;
  }

  /** Returns a URL of this server as buyers see it. */
  publicUrl(url: string): string {
    const { origin } = this.options;
    if (origin === undefined) return url;
    const { pathname, search } = new URL(url);
    return new URL(pathname + search, origin).href;
  }
}

/** In the flow `upfront`, nothing is verified before the payment is settled. */
const stepOf = ({ extra }: PaymentRequirements, step: VerifierStep): VerifierStep =>
  extra.paymentFlow === "upfront" ? "only" : step;

const verified = (verdict: Verdict): VerifyResponse =>
  "fault" in verdict ? { isValid: false, invalidReason: verdict.fault } : { isValid: true, payer: verdict.payer };

function settled(verdict: Verdict, { network }: PaymentRequirements): SettleResponse {
  if ("fault" in verdict) return { success: false, errorReason: verdict.fault, transaction: "", network };
  return { success: true, network, payer: verdict.payer, transaction: verdict.transaction ?? "" };
}

/** The request that a challenge is for. */
interface AskedRequest {
  method: string;
  /** Its URL as the buyer sees it. */
  resource: string;
}

/**
 * Creates a new challenge, for `extra` of an offer. It is not stored; by `proof` the seller recognizes it later.
 *
 * @param validFor seconds within which it can be paid
 */
async function issueChallenge(
  context: Context,
  requirements: PaymentRequirements,
  { method, resource }: AskedRequest,
  validFor: number,
): Promise<Extra> {
  const [chain, { ledger }, { viewingKey }] = await Promise.all([context.chain(), context.scope(), context.viewer()]);
  const expires = Number(await chain.now()) + validFor;
  const terms = { ledger, method: method.toUpperCase(), resource, nonce: toHex(randomBytes(32)), expires };
  const proof = issuedProof(viewingKey.secret, await challengeFor(context, requirements, terms));
  return { ...terms, proof };
}
