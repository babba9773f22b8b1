/* The types of what goes into the client and comes out of it. */
export type { AbandonInput, AbandonResult, BudgetLoss } from "../abandon";
export type { CallOptions } from "../agents";
export type { AllocateInput, AllocateResult } from "../allocate";
export type { ListedKey, Operation, SealedHeldPayment, SealedTransfer } from "../api-types";
export type { ApproveOptions } from "../approve";
export type { AttemptOptions } from "../attempt-options";
export type { AuditLogInput } from "../audit-log";
export type { Balances, BalancesInput } from "../balances";
export type { VerifiedReceipt } from "../check-receipt";
export type { CreateAgentInput } from "../create-agent";
export type { DecryptBalanceInput, DecryptedBalance } from "../decrypt";
export type { ApiErrorDetails } from "../errors";
export type { FaucetInput } from "../faucet";
export type { HalcyonClient } from "../halcyon-client";
export type { OpenedHeldPayment, PendingInput, PendingList } from "../held";
export type { CreateKeyInput } from "../keys";
export type { ListTransfersInput } from "../list-transfers";
export type { Paged, PageInfo } from "../paging";
export type { PreparedTransferBody, PrepareTransferInput } from "../payment-plan";
export type { PaymentOutcome, PendingDocument, PendingPayment } from "../pending-payment";
export type { PinStore } from "../pins";
export type { MadeReceipt } from "../receipt";
export type { RecoverInput, RecoverResult } from "../recover";
export type { RenewedSpender } from "../renew-spender";
export type {
  Account,
  Agent,
  AuditEntry,
  AuditList,
  CreatedWebhook,
  DecidedPayment,
  Delivery,
  DeliveryList,
  DryRun,
  EventList,
  HeldPayment,
  HeldPaymentDetails,
  PreparedPayment,
  Redelivery,
  RotatedWebhook,
  SpendPolicy,
  SpendPolicyFields,
  Transfer,
  TransferList,
  Webhook,
  WebhookList,
} from "../resources";
export type { RotatedBudgetSecret } from "../rotate-budget-secret";
export type { SendInput } from "../send";
export type { SignupInput, SignupResult } from "../signup";
export type { StoppedSpender, StopSpenderInput } from "../stop-spender";
export type { SettledTransfer } from "../transfer-status";
export type { OpenedTransfer, OpenedTransferList, TransfersInput } from "../transfers";
export type { InvalidWebhookReason, VerifyWebhookOptions, WebhookHeaders } from "../verify-webhook";
export type { Wallet, WalletCall, WalletTypedData } from "../wallet";
export type { HalcyonEvent } from "../webhook-events";
export type { Events, ListDeliveriesInput, ListEventsInput, Webhooks } from "../webhooks";
export type { WithdrawInput, Withdrawn } from "../withdraw";
