/* The types of what goes into the client and comes out of it. */

export type { CallOptions } from "../account/agents";
export type { AuditLogInput } from "../account/audit-log";
export type { CreateAgentInput } from "../account/create-agent";
export type { CreateKeyInput } from "../account/keys";
export type { SignupInput, SignupResult } from "../account/signup";
export type { ListedKey, Operation, SealedHeldPayment, SealedTransfer } from "../api/api-types";
export type { ApiErrorDetails } from "../api/errors";
export type { Paged, PageInfo } from "../api/paging";
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
} from "../api/resources";
export type { ApproveOptions } from "../approvals/approve";
export type { OpenedHeldPayment, PendingInput, PendingList } from "../approvals/held";
export type { AttemptOptions } from "../attempts/attempt-options";
export type { PaymentOutcome, PendingDocument, PendingPayment } from "../attempts/pending-payment";
export type { SettledTransfer } from "../attempts/transfer-status";
export type { RotatedBudgetSecret } from "../budget-secret/rotate-budget-secret";
export type { Wallet, WalletCall, WalletTypedData } from "../chain/wallet";
export type { PinStore } from "../context/pins";
export type { RenewedSpender } from "../context/renew-spender";
export type { AllocateInput, AllocateResult } from "../funding/allocate";
export type { FaucetInput } from "../funding/faucet";
export type { Balances, BalancesInput } from "../funds/balances";
export type { HalcyonClient } from "../halcyon-client";
export type { PreparedTransferBody, PrepareTransferInput } from "../payments/prepare-transfer-input";
export type { SendInput } from "../payments/send";
export type { WithdrawInput, Withdrawn } from "../payments/withdraw";
export type { AbandonInput, AbandonResult, BudgetLoss } from "../recovery/abandon";
export type { RecoverInput, RecoverResult } from "../recovery/recover";
export type { StoppedSpender, StopSpenderInput } from "../recovery/stop-spender";
export type { VerifiedReceipt } from "../transfers/check-receipt";
export type { DecryptBalanceInput, DecryptedBalance } from "../transfers/decrypt";
export type { ListTransfersInput } from "../transfers/list-transfers";
export type { MadeReceipt } from "../transfers/receipt";
export type { OpenedTransfer, OpenedTransferList, TransfersInput } from "../transfers/transfers";
export type { InvalidWebhookReason, VerifyWebhookOptions, WebhookHeaders } from "../webhooks/verify-webhook";
export type { HalcyonEvent } from "../webhooks/webhook-events";
export type { Events, ListDeliveriesInput, ListEventsInput, Webhooks } from "../webhooks/webhooks";
