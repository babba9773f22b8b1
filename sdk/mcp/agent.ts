import type { HeldPaymentDetails } from "../api/resources/approvals";
import type { DryRun, HeldPayment, SpendPolicy, Transfer, TransferList } from "../api/resources/transfers";
import type { Halcyon } from "../client";
import type { PaymentAwaitingApproval } from "../payments/attempts/transfer-status";
import type { PayInput, Price, PriceInput } from "../x402/buy";
import type { PaidResponse } from "../x402/paying-fetch";

/** A payment that a policy decides. */
export interface PolicyPayment {
  to: string;
  amount: string;
  asset?: string | undefined;
  public?: boolean | undefined;
}

/** A payment of a tool. */
export interface ToolPayment extends PolicyPayment {
  memo?: string | undefined;
  reference?: string | undefined;
}

/** A page of a list. */
export interface ToolPage {
  limit?: number | undefined;
  offset?: number | undefined;
}

/**
 * What the tools do for an agent. On stdio, its client does it; over HTTP, the service's operations with what the
 * connection authenticated.
 */
export interface ToolAgent {
  /** Pays, and returns once the payment is accepted. */
  pay(payment: ToolPayment, idempotencyKey: string): Promise<Transfer | PaymentAwaitingApproval>;
  dryRun(payment: PolicyPayment): Promise<DryRun>;
  /** Returns an accepted payment once it is final, or as it was last seen when the time is over. It then goes on. */
  followed(accepted: Transfer, until: number): Promise<Transfer>;
  transfers(query: ToolPage & { status?: Transfer["status"] | undefined }): Promise<TransferList>;
  heldPayment(id: string): Promise<HeldPaymentDetails>;
  heldPayments(page: ToolPage): Promise<{ pending: HeldPayment[]; limit: number; offset: number; has_more: boolean }>;
  policy(): Promise<SpendPolicy>;
  balances(): Promise<{ balances: { asset: string; above_zero?: boolean }[] }>;
  /** Returns what a seller asks for a request, and what the policy says of it. */
  price(url: string, request: PriceInput): Promise<Price>;
  /** Requests a URL, and pays its price once. */
  payForUrl(url: string, request: PayInput): Promise<PaidResponse>;
}

/** How soon to ask for a payment again. */
const PAUSE_MS = 250;

/** Returns the agent whose API key a client has. */
export const agentOfClient = (client: Halcyon): ToolAgent => ({
  pay: (payment, idempotencyKey) => client.transfers.create(payment, { idempotencyKey, wait: false }),
  dryRun: (payment) => client.transfers.dryRun(payment),
  async followed(accepted, until) {
    let seen = accepted;
    while (seen.status === "pending" && Date.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      // The service has accepted the payment, so a failed status request is not a failure of the payment.
      seen = await client.transfers.get(seen.transfer_id).catch(() => seen);
    }
    return seen;
  },
  transfers: (query) => client.transfers.list(query),
  heldPayment: (id) => client.approvals.get(id),
  heldPayments: (page) => client.approvals.list(page),
  policy: () => client.policies.get(),
  balances: () => client.balances.get(),
  price: (url, request) => client.x402.price(url, request),
  payForUrl: (url, request) => client.x402.pay(url, request),
});
