import type { Hex } from "viem";
import type { SignedTransfer } from "@/lib/ledger/prepare/documents";
import type { Context } from "../context/context";
import { networkName, SCHEME, type SettleResponse, type VerifyResponse } from "./wire";

/**
 * Calls the service's facilitator about a payment that the seller has to send. The requests contain no price and need
 * no key: the seller checks payee and amount itself.
 */
export class Relay {
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
