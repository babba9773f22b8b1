import { type Address, type Hex, isAddressEqual } from "viem";
import { toHex } from "@/lib/ledger/crypto/bytes";
import type { SignedTransfer } from "@/lib/ledger/prepare/documents";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Context } from "../context/context";
import { type Challenge, challengeBinding, wasIssued } from "./challenge";
import type { PaymentClaims } from "./claims";
import { type Finality, findPayment } from "./find-payment";
import { openClientSigned } from "./open-client-signed";
import {
  type Extra,
  type Fault,
  networkName,
  type PaymentRequirements,
  readExtra,
  readPresented,
  SCHEME,
  type SettleResponse,
  type VerifyResponse,
} from "./wire";

/**
 * Calls the service's facilitator about a payment that the seller has to send. The requests contain no price and need
 * no key: the seller checks payee and amount itself.
 */
class Relay {
  constructor(private readonly context: Context) {}

  /** Asks whether the proof and the signature are valid, over the payer's newest balance. */
  async verify(document: SignedTransfer): Promise<VerifyResponse> {
    return this.ask<VerifyResponse>("/x402/verify", document);
  }

  /**
   * Has the payment sent, once even if called repeatedly. Resolves to its transaction, or to null when it was refused.
   */
  async settle(document: SignedTransfer): Promise<Hex | null> {
    const { transaction } = await this.ask<SettleResponse>("/x402/settle", document);
    return transaction ? (transaction as Hex) : null;
  }

  private async ask<T>(path: string, document: SignedTransfer): Promise<T> {
    const { chainId, ledger } = await this.context.info();
    const paymentRequirements = {
      scheme: SCHEME,
      network: networkName(chainId),
      asset: document.asset,
      payTo: document.to,
      extra: { ledger },
    };
    const paymentPayload = { x402Version: 2, payload: { mode: "client_signed", client_signed: document } };
    const json = { x402Version: 2, paymentPayload, paymentRequirements };
    return (await this.context.http.send("POST", path, { json })).body as T;
  }
}

/** The options for checking payments. */
export interface CheckingOptions {
  /** The record of accepted payments, shared by all processes of the seller. */
  claims: PaymentClaims;
  /** When a payment counts as final, by its price in whole tokens. Default: `latest` (one block). */
  finality?: ((price: number) => Finality) | undefined;
  /** Seconds that one request waits for its payment to be final. Default: 30. */
  patience?: number | undefined;
  /** How often the same payment is accepted for what it paid, in case responses are lost. Default: 5. */
  servings?: number | undefined;
}

/** The result of a check: who paid, or what is wrong. A payment that is not sent yet has no transaction. */
export type Verdict = { payer: Address; transaction: Hex | null } | { fault: Fault };

/**
 * The stage of a request. `before`: the handler has not run, and the payment is checked again after it. `after`: the
 * handler has run. `only`: the payment is checked only once.
 */
export type VerifierStep = "before" | "after" | "only";

const FIRST_PAUSE_MS = 50;
const SERVINGS = 5;

/**
 * Checks that a payment goes to the seller, in the right asset, is bound to a challenge that the seller issued, and
 * covers the price; accepts it once. Runs where the viewing key is, so no one else learns the price of a payment.
 */
export class PaymentVerifier {
  private readonly relay: Relay;

  constructor(
    private readonly context: Context,
    private readonly options: CheckingOptions,
  ) {
    this.relay = new Relay(context);
  }

  /**
   * Checks a payment.
   *
   * @param requirements what the seller asks for, with the method and URL of the request
   * @param payload what the buyer presents
   */
  async check(
    requirements: PaymentRequirements,
    payload: Record<string, unknown>,
    step: VerifierStep,
  ): Promise<Verdict> {
    const [offered, presented] = [readExtra(requirements.extra), readPresented(payload)];
    if (!offered || !presented) return { fault: "invalid_payload" };
    const { nonce, expires, proof } = presented;
    const challenge = await challengeFor(this.context, requirements, { ...offered, nonce, expires });
    const viewer = await this.context.viewer();
    if (!wasIssued(viewer.viewingKey.secret, challenge, proof)) return { fault: "unknown_challenge" };
    const asset = await assetAt(this.context, requirements.asset);
    const asked = { ...challenge, unit: asset.unit };
    if (presented.mode === "paid") return this.checkPaid(asked, asset, presented.transaction, step);
    return this.checkClientSigned(asked, asset, presented.client_signed, step);
  }

  private async checkPaid(
    asked: Challenge & { unit: bigint },
    asset: Asset,
    transaction: Hex,
    step: VerifierStep,
  ): Promise<Verdict> {
    const found = await this.find(asked, asset, transaction);
    if (typeof found === "string") return { fault: found };
    if (!(await this.take(found.note, asked, step))) return { fault: "payment_already_used" };
    return { payer: found.payer, transaction };
  }

  private async checkClientSigned(
    asked: Challenge & { unit: bigint },
    asset: Asset,
    signed: unknown,
    step: VerifierStep,
  ): Promise<Verdict> {
    const [chain, viewer] = await Promise.all([this.context.chain(), this.context.viewer()]);
    const opened = await openClientSigned(viewer, asked, signed, await chain.now());
    if (typeof opened === "string") return { fault: opened };
    const { payer, note, document } = opened;
    if (step === "before" && !(await this.relay.verify(document)).isValid) return { fault: "payment_refused" };
    if (!(await this.take(note, asked, step))) return { fault: "payment_already_used" };
    if (step === "before") return { payer, transaction: null };
    const transaction = await this.relay.settle(document);
    if (!transaction) return { fault: "payment_refused" };
    const found = await this.find(asked, asset, transaction);
    return typeof found === "string" ? { fault: found } : { payer, transaction };
  }

  private find(asked: Challenge & { unit: bigint }, asset: Asset, transaction: Hex) {
    const whole = Number(asked.amount / asset.unit) / 10 ** asset.decimals;
    const finality = this.options.finality?.(whole) ?? "latest";
    return this.wait(async () => {
      const [chain, viewer] = await Promise.all([this.context.chain(), this.context.viewer()]);
      return findPayment(chain, viewer, asked, transaction, finality);
    });
  }

  /** Accepts a payment. A request that is checked twice counts once. */
  private async take(note: Hex, challenge: Challenge, step: VerifierStep): Promise<boolean> {
    const { claims, servings = SERVINGS } = this.options;
    const binding = toHex(challengeBinding(challenge));
    if (step === "after" && (await claims.has(note, binding))) return true;
    return claims.claim(note, binding, servings);
  }

  /** Repeats the check while the payment may still arrive. */
  private async wait<T>(look: () => Promise<T | Fault>): Promise<T | Fault> {
    const end = Date.now() + 1000 * (this.options.patience ?? 30);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, 1000)) {
      const found = await look();
      const early = found === "payment_not_found" || found === "payment_not_final";
      if (!early || Date.now() + pause > end) return found;
      await this.context.call.pause(pause);
    }
  }
}

/**
 * Converts an offer's terms to a challenge of this ledger.
 *
 * @throws HalcyonError `invalid_request` for an offer for another ledger
 */
export async function challengeFor(
  context: Context,
  { payTo, asset, amount }: PaymentRequirements,
  { ledger, method, resource, nonce, expires }: Omit<Extra, "proof">,
): Promise<Challenge> {
  const scope = await context.scope();
  const lower = (address: string) => address.toLowerCase() as Address;
  if (lower(ledger) !== lower(scope.ledger)) throw new HalcyonError("invalid_request", "This is another ledger.");
  const terms = { method, resource, nonce, expires: BigInt(expires) };
  return { scope, payTo: lower(payTo), asset: lower(asset), amount: BigInt(amount), ...terms };
}

async function assetAt(context: Context, address: string): Promise<Asset> {
  const { assets } = await context.info();
  const asset = assets.find((known) => isAddressEqual(known.address, address as Address));
  if (!asset) throw new HalcyonError("invalid_request", "The ledger does not have this asset.", { param: "asset" });
  return asset;
}
