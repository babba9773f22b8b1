import type { Context } from "./context/context";
import { AccountResource } from "./resources/account-resource";
import { AgentsResource } from "./resources/agents-resource";
import { ApprovalsResource } from "./resources/approvals-resource";
import { AuditLogResource } from "./resources/audit-log-resource";
import { BalancesResource } from "./resources/balances-resource";
import { EventsResource } from "./resources/events-resource";
import { KeysResource } from "./resources/keys-resource";
import { LimitsResource } from "./resources/limits-resource";
import { PaymentRequestsResource } from "./resources/payment-requests-resource";
import { PayoutsResource } from "./resources/payouts-resource";
import { PoliciesResource } from "./resources/policies-resource";
import { ProofsOfFundsResource } from "./resources/proofs-of-funds-resource";
import { ReceiptsResource } from "./resources/receipts-resource";
import { RecoveryResource } from "./resources/recovery-resource";
import { RequestLogResource } from "./resources/request-log-resource";
import { SchedulesResource } from "./resources/schedules-resource";
import { SecurityResource } from "./resources/security-resource";
import { SharedViewsResource } from "./resources/shared-views-resource";
import { StatementsResource } from "./resources/statements-resource";
import { TestHelpersResource } from "./resources/test-helpers-resource";
import { TransfersResource } from "./resources/transfers-resource";
import { ViewingKeysResource } from "./resources/viewing-keys-resource";
import { WebhooksResource } from "./resources/webhooks-resource";
import { withHalcyonErrors } from "./resources/with-halcyon-errors";
import { WithdrawalsResource } from "./resources/withdrawals-resource";

/** Every method that works on all platforms. Each platform's `Halcyon` class extends this one. */
export class HalcyonClient {
  /** Your account. */
  readonly account: AccountResource;
  /** Payments. */
  readonly transfers: TransfersResource;
  /** Links that ask for a payment. */
  readonly paymentRequests: PaymentRequestsResource;
  /** Many payments from one file. */
  readonly payouts: PayoutsResource;
  /** Payments at set times. */
  readonly schedules: SchedulesResource;
  /** Proofs of single payments. */
  readonly receipts: ReceiptsResource;
  /** Proofs that the account holds at least a sum. */
  readonly proofsOfFunds: ProofsOfFundsResource;
  /** The opening and closing balance of a period, and the movements between. */
  readonly statements: StatementsResource;
  /** Views for an accountant: the payments of a period, each with a proof. */
  readonly sharedViews: SharedViewsResource;
  /** The balances of the account and its agents. */
  readonly balances: BalancesResource;
  /** Payments out of Halcyon to a public address. */
  readonly withdrawals: WithdrawalsResource;
  /** API keys. */
  readonly keys: KeysResource;
  /** Viewing keys, for programs that only read amounts. */
  readonly viewingKeys: ViewingKeysResource;
  /** Accounts for programs. */
  readonly agents: AgentsResource;
  /** Agents' spend policies. */
  readonly policies: PoliciesResource;
  /** Limits on what the account's own keys pay without its wallet. */
  readonly limits: LimitsResource;
  /** Agents' payments that await your approval. */
  readonly approvals: ApprovalsResource;
  /** Subscriptions, their deliveries and secrets. */
  readonly webhooks: WebhooksResource;
  /** Events of the account and its agents. */
  readonly events: EventsResource;
  /** The audit log of the account. */
  readonly auditLog: AuditLogResource;
  /** Requests with the account's API keys. */
  readonly requestLog: RequestLogResource;
  /** The account's secrets, and what to do when one may have leaked. */
  readonly security: SecurityResource;
  /** Test money and other helpers, for the local stack only. */
  readonly testHelpers: TestHelpersResource;
  /** Recovery of your money without the service. */
  readonly recovery: RecoveryResource;

  constructor(context: Context) {
    this.account = withHalcyonErrors(new AccountResource(context));
    this.transfers = withHalcyonErrors(new TransfersResource(context));
    this.paymentRequests = withHalcyonErrors(new PaymentRequestsResource(context));
    this.payouts = withHalcyonErrors(new PayoutsResource(context));
    this.schedules = withHalcyonErrors(new SchedulesResource(context));
    this.receipts = withHalcyonErrors(new ReceiptsResource(context));
    this.proofsOfFunds = withHalcyonErrors(new ProofsOfFundsResource(context));
    this.statements = withHalcyonErrors(new StatementsResource(context));
    this.sharedViews = withHalcyonErrors(new SharedViewsResource(context));
    this.balances = withHalcyonErrors(new BalancesResource(context));
    this.withdrawals = withHalcyonErrors(new WithdrawalsResource(context));
    this.keys = withHalcyonErrors(new KeysResource(context));
    this.viewingKeys = withHalcyonErrors(new ViewingKeysResource(context));
    this.agents = withHalcyonErrors(new AgentsResource(context));
    this.policies = withHalcyonErrors(new PoliciesResource(context));
    this.limits = withHalcyonErrors(new LimitsResource(context));
    this.approvals = withHalcyonErrors(new ApprovalsResource(context));
    this.webhooks = withHalcyonErrors(new WebhooksResource(context));
    this.events = withHalcyonErrors(new EventsResource(context));
    this.auditLog = withHalcyonErrors(new AuditLogResource(context));
    this.requestLog = withHalcyonErrors(new RequestLogResource(context));
    this.security = withHalcyonErrors(new SecurityResource(context));
    this.testHelpers = withHalcyonErrors(new TestHelpersResource(context));
    this.recovery = withHalcyonErrors(new RecoveryResource(context));
  }
}
