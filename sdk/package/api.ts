import { NETWORKS } from "@/lib/base/network";
import { AbortableCall } from "../api/abortable-call";
import { apiErrorOf } from "../api/api-errors";
import type { CallLimits } from "../api/call-options";
import { HalcyonError } from "../api/errors";
import { Http } from "../api/http";
import { httpAddress } from "../api/http-address";
import type { ClientOptions } from "../context/context-of";
import { SDK_VERSION } from "../context/platform/sdk-version";
import { AuditLogResource } from "../resources/audit-log-resource";
import { EventsResource } from "../resources/events-resource";
import { ApiKeyContext } from "../resources/key/api-key-context";
import { KeyAccount, KeyAgents, KeyBalances, KeyPolicies } from "../resources/key/key-account";
import { KeyApprovals } from "../resources/key/key-approvals";
import { KeyTestHelpers } from "../resources/key/key-test-helpers";
import { KeyTransfers } from "../resources/key/key-transfers";
import { PayoutsResource } from "../resources/payouts-resource";
import { RequestLogResource } from "../resources/request-log-resource";
import { WebhooksResource } from "../resources/webhooks-resource";

export * from "./surface";

/** The options of a client that has only an API key. */
export interface HalcyonOptions extends CallLimits, Pick<ClientOptions, "url" | "network" | "apiKey" | "fetch"> {}

/**
 * A client that has only an API key: no wallet, no connection to a chain, no proofs. It needs no other package and
 * starts at once. The service signs its payments, and it can't decrypt amounts. It offers the methods of the full SDK
 * that need nothing but an API key.
 *
 * @example
 * import { Halcyon } from "@halcyon/sdk/api";
 * const halcyon = new Halcyon({ url: "https://pay.example.com", apiKey: process.env.HALCYON_API_KEY });
 * await halcyon.transfers.create({ to: "@bob", amount: "25" }, { idempotencyKey: "order-17" });
 * @throws HalcyonError from every method; its `code` is one of the API's error codes
 */
export class Halcyon {
  /** Your account. */
  readonly account: KeyAccount;
  /** Payments. */
  readonly transfers: KeyTransfers;
  /** Many payments of one file. */
  readonly payouts: PayoutsResource;
  /** Whether each balance is above zero. */
  readonly balances: KeyBalances;
  /** Accounts for programs. */
  readonly agents: KeyAgents;
  /** Agents' spend policies. */
  readonly policies: KeyPolicies;
  /** Agents' payments that await your approval. */
  readonly approvals: KeyApprovals;
  /** Subscriptions, their deliveries and secrets. */
  readonly webhooks: WebhooksResource;
  /** Events of the account and its agents. */
  readonly events: EventsResource;
  /** The audit log of the account. */
  readonly auditLog: AuditLogResource;
  /** Requests with the account's API keys. */
  readonly requestLog: RequestLogResource;
  /** Ways to cause events that are hard to cause otherwise. For the local stack only. */
  readonly testHelpers: KeyTestHelpers;

  constructor(options: HalcyonOptions = {}) {
    const { url, network = "test", apiKey, fetch } = options;
    if (!NETWORKS.includes(network)) {
      throw new HalcyonError("invalid_request", `network is one of: ${NETWORKS.join(", ")}.`, { param: "network" });
    }
    const userAgent = `halcyon-sdk/${SDK_VERSION} node/${process.versions.node}`;
    const http = new Http(
      httpAddress("url", url || "http://localhost:3000"),
      { fetch, userAgent, apiError: apiErrorOf },
      new AbortableCall(options),
    );
    const context = new ApiKeyContext(http, network, apiKey || undefined);
    this.account = new KeyAccount(context);
    this.transfers = new KeyTransfers(context);
    this.payouts = new PayoutsResource(context);
    this.balances = new KeyBalances(context);
    this.agents = new KeyAgents(context);
    this.policies = new KeyPolicies(context);
    this.approvals = new KeyApprovals(context);
    this.webhooks = new WebhooksResource(context);
    this.events = new EventsResource(context);
    this.auditLog = new AuditLogResource(context);
    this.requestLog = new RequestLogResource(context);
    this.testHelpers = new KeyTestHelpers(context);
  }
}
