import type { Context } from "./context/context";
import { AccountResource } from "./resources/account-resource";
import { AgentsResource } from "./resources/agents-resource";
import { ApprovalsResource } from "./resources/approvals-resource";
import { AuditLogResource } from "./resources/audit-log-resource";
import { BalancesResource } from "./resources/balances-resource";
import { DisclosuresResource } from "./resources/disclosures-resource";
import { EventsResource } from "./resources/events-resource";
import { guarded } from "./resources/guarded";
import { KeysResource } from "./resources/keys-resource";
import { LimitsResource } from "./resources/limits-resource";
import { PaymentRequestsResource } from "./resources/payment-requests-resource";
import { PayoutsResource } from "./resources/payouts-resource";
import { PoliciesResource } from "./resources/policies-resource";
import { ProofsOfFundsResource } from "./resources/proofs-of-funds-resource";
import { ReceiptsResource } from "./resources/receipts-resource";
import { RecoveryResource } from "./resources/recovery-resource";
import { SchedulesResource } from "./resources/schedules-resource";
import { SecurityResource } from "./resources/security-resource";
import { StatementsResource } from "./resources/statements-resource";
import { TestHelpersResource } from "./resources/test-helpers-resource";
import { TransfersResource } from "./resources/transfers-resource";
import { ViewingKeysResource } from "./resources/viewing-keys-resource";
import { WebhooksResource } from "./resources/webhooks-resource";
import { WithdrawalsResource } from "./resources/withdrawals-resource";

/** Everything a client does, wherever it runs. `Halcyon` is this class with what its platform has. */
export class HalcyonClient {
  /** Your account. */
  readonly account: AccountResource;
  /** Payments. */
  readonly transfers: TransfersResource;
  /** Links that ask for a payment. */
  readonly paymentRequests: PaymentRequestsResource;
  /** Many payments of one file. */
  readonly payouts: PayoutsResource;
  /** Payments at set times. */
  readonly schedules: SchedulesResource;
  /** Proofs of single payments. */
  readonly receipts: ReceiptsResource;
  /** Proofs that the account holds at least a sum. */
  readonly proofsOfFunds: ProofsOfFundsResource;
  /** What a period began and ended with, and what happened in it. */
  readonly statements: StatementsResource;
  /** Views for an accountant: payments of a period, each proved. */
  readonly disclosures: DisclosuresResource;
  /** What the account and its agents hold. */
  readonly balances: BalancesResource;
  /** Money that leaves Halcyon. */
  readonly withdrawals: WithdrawalsResource;
  /** API keys. */
  readonly keys: KeysResource;
  /** What a program that only reads amounts needs. */
  readonly viewingKeys: ViewingKeysResource;
  /** Accounts for programs. */
  readonly agents: AgentsResource;
  /** Agents' spend policies. */
  readonly policies: PoliciesResource;
  /** What the account's own keys pay without its wallet. */
  readonly limits: LimitsResource;
  /** Agents' payments that await your approval. */
  readonly approvals: ApprovalsResource;
  /** Subscriptions, their deliveries and secrets. */
  readonly webhooks: WebhooksResource;
  /** What happened to the account and its agents. */
  readonly events: EventsResource;
  /** Who did what in the account. */
  readonly auditLog: AuditLogResource;
  /** The account's secrets, and what to do when one may have leaked. */
  readonly security: SecurityResource;
  /** For the local stack only. */
  readonly testHelpers: TestHelpersResource;
  /** Your money without the service. */
  readonly recovery: RecoveryResource;

  constructor(context: Context) {
    this.account = guarded(new AccountResource(context));
    this.transfers = guarded(new TransfersResource(context));
    this.paymentRequests = guarded(new PaymentRequestsResource(context));
    this.payouts = guarded(new PayoutsResource(context));
    this.schedules = guarded(new SchedulesResource(context));
    this.receipts = guarded(new ReceiptsResource(context));
    this.proofsOfFunds = guarded(new ProofsOfFundsResource(context));
    this.statements = guarded(new StatementsResource(context));
    this.disclosures = guarded(new DisclosuresResource(context));
    this.balances = guarded(new BalancesResource(context));
    this.withdrawals = guarded(new WithdrawalsResource(context));
    this.keys = guarded(new KeysResource(context));
    this.viewingKeys = guarded(new ViewingKeysResource(context));
    this.agents = guarded(new AgentsResource(context));
    this.policies = guarded(new PoliciesResource(context));
    this.limits = guarded(new LimitsResource(context));
    this.approvals = guarded(new ApprovalsResource(context));
    this.webhooks = guarded(new WebhooksResource(context));
    this.events = guarded(new EventsResource(context));
    this.auditLog = guarded(new AuditLogResource(context));
    this.security = guarded(new SecurityResource(context));
    this.testHelpers = guarded(new TestHelpersResource(context));
    this.recovery = guarded(new RecoveryResource(context));
  }
}
