/* The types of the client's inputs and results. */

export type {
  MovementType,
  Statement,
  StatementAccount,
  StatementAsset,
  StatementProblem,
  StatementRow,
} from "@/lib/payments/statements/statement";
export type { TextFormat } from "@/lib/payments/statements/statement-text";
export type { AuditLogInput } from "../account/audit-log";
export type { CreateAgentInput } from "../account/create-agent";
export type { EndedAgent } from "../account/end-agent";
export type { ExportedViewingKey } from "../account/export-viewing-key";
export type { BalancesInput, DecryptedBalances } from "../account/funds/balances";
export type { GuardSet, GuardState } from "../account/guard";
export type { CreateKeyInput } from "../account/keys";
export type { SignupInput, SignupResult } from "../account/signup";
export type { HeldPaymentWithText, ListedKey, TransferWithCopies } from "../api/api-types";
export type { CallLimits, CallOptions, ServiceResponse } from "../api/call-options";
export type { ApiErrorDetails, HalcyonErrorCode } from "../api/errors";
export type { Paged, PageInfo } from "../api/paged";
export type { Account } from "../api/resources/accounts";
export type { Agent, DecisionList, SimulatePolicy, SpendPolicyFields } from "../api/resources/agents";
export type { DecidedPayment, HeldPaymentDetails } from "../api/resources/approvals";
export type { AuditEntry, AuditList } from "../api/resources/audit-log";
export type { EventList } from "../api/resources/events";
export type {
  Payout,
  PayoutCheck,
  PayoutList,
  PayoutRow,
  PayoutRowInput,
  PayoutRowList,
} from "../api/resources/payouts";
export type { LoggedRequest, LoggedRequestList } from "../api/resources/request-log";
export type { SignedPayment } from "../api/resources/signed-payments";
export type {
  DryRun,
  EncryptedHeldPayment,
  EncryptedTransfer,
  HeldPayment,
  Operation,
  PolicyOnLedger,
  SpendPolicy,
  Transfer,
  TransferList,
} from "../api/resources/transfers";
export type {
  CreatedWebhook,
  Delivery,
  DeliveryList,
  Redelivery,
  RotatedWebhook,
  Webhook,
  WebhookList,
} from "../api/resources/webhooks";
export type { InvalidWebhookReason, VerifyWebhookOptions, WebhookHeaders } from "../api/webhooks/verify-webhook";
export type { EventType, HalcyonEvent } from "../api/webhooks/webhook-events";
export type { Wallet, WalletCall, WalletTypedData } from "../chain/wallet";
export type { PinStore } from "../context/pins";
export type { RenewedPaymentKey } from "../context/renew-payment-key";
export type { HalcyonClient } from "../halcyon-client";
export type { ApproveOptions } from "../payments/approvals/approve";
export type { DecryptedHeldPayment, DecryptedPendingList } from "../payments/approvals/decrypt-held";
export type { PendingInput } from "../payments/approvals/held";
export type { AttemptOptions } from "../payments/attempts/attempt-options";
export type { PaymentOutcome, PendingDocument, PendingPayment } from "../payments/attempts/pending-payment";
export type { AcceptedTransfer } from "../payments/attempts/transfer-not-final";
export type { ConfirmedTransfer, PaymentAwaitingApproval, SettledTransfer } from "../payments/attempts/transfer-status";
export type { FaucetInput } from "../payments/funding/faucet";
export type { Limits, LimitsCleared } from "../payments/funding/limits";
export type { MakeAvailableInput, MakeAvailableOptions, MakeAvailableResult } from "../payments/funding/make-available";
export type { ListPayoutRowsInput, ListPayoutsInput, PayoutInput, PayoutOptions } from "../payments/payouts/payouts";
export type {
  ClientSignedTransferBody,
  PrepareTransferInput,
  PrepareTransferOptions,
} from "../payments/prepare-transfer-input";
export type { SendInput, SendOptions } from "../payments/send";
export type { ManyPayment, SendManyInput, SentMany } from "../payments/send-many";
export type { VerifiedReceipt } from "../payments/transfers/check-receipt";
export type { DecryptBalanceInput } from "../payments/transfers/decrypt";
export type { DecryptedBalance } from "../payments/transfers/decrypted-balance";
export type { ListTransfersInput } from "../payments/transfers/list-transfers";
export type { MadeReceipt } from "../payments/transfers/receipt";
export type { DecryptedTransfer, DecryptedTransferList, TransfersInput } from "../payments/transfers/transfers";
export type { WithdrawInput, WithdrawOptions } from "../payments/withdraw";
export type { AbandonInput, AbandonResult, AvailableLoss } from "../recovery/abandon";
export type { RekeyedAgent } from "../recovery/account-secret/replace-agent-key";
export type { RotatedAccountSecret } from "../recovery/account-secret/rotate-account-secret";
export type { RecoverInput, RecoverResult } from "../recovery/recover";
export type { StopPaymentKeyInput, StoppedPaymentKey } from "../recovery/stop-payment-key";
export type { AccountResource } from "../resources/account-resource";
export type { AgentsResource } from "../resources/agents-resource";
export type { ApprovalsResource } from "../resources/approvals-resource";
export type { AuditLogResource } from "../resources/audit-log-resource";
export type { BalancesResource } from "../resources/balances-resource";
export type { EventsResource, ListEventsInput } from "../resources/events-resource";
export type { KeysResource } from "../resources/keys-resource";
export type { LimitsResource } from "../resources/limits-resource";
export type { PoliciesResource } from "../resources/policies-resource";
export type { ProofsOfFundsResource } from "../resources/proofs-of-funds-resource";
export type { ReceiptsResource } from "../resources/receipts-resource";
export type { RecoveryResource } from "../resources/recovery-resource";
export type { ListRequestsInput, RequestLogResource } from "../resources/request-log-resource";
export type { SecurityResource } from "../resources/security-resource";
export type { SharedViewsResource } from "../resources/shared-views-resource";
export type { StatementFileInput, StatementsResource } from "../resources/statements-resource";
export type { TestHelpersResource } from "../resources/test-helpers-resource";
export type { TransfersResource } from "../resources/transfers-resource";
export type { ViewingKeysResource } from "../resources/viewing-keys-resource";
export type { ListDeliveriesInput, WebhooksResource } from "../resources/webhooks-resource";
export type { WithdrawalsResource } from "../resources/withdrawals-resource";
export type { X402Resource } from "../resources/x402-resource";
export type { ExpectedProof, VerifiedProofOfFunds } from "../statements/proofs-of-funds/check-proof-of-funds";
export type { CreateProofOfFundsInput, MadeProofOfFunds } from "../statements/proofs-of-funds/create-proof-of-funds";
export type { ProofOfFundsPreview, ShownProof } from "../statements/proofs-of-funds/preview-proof-of-funds";
export type { ProofOfFundsInput } from "../statements/proofs-of-funds/request-of";
export type { CheckedSharedView, CheckedViewPayment } from "../statements/shared-views/check-shared-view";
export type { SharedViewList } from "../statements/shared-views/list-shared-views";
export type {
  CreatedSharedView,
  CreateSharedViewInput,
  ListedSharedView,
} from "../statements/shared-views/shared-view-input";
export type { StatementInput } from "../statements/statement-input";
export type { PayInput, Price, PriceInput } from "../x402/buy";
export type { PaymentClaims, Query } from "../x402/claims";
export type { Finality } from "../x402/find-payment";
export type { Offer, PaidResponse, PaymentReceipt } from "../x402/paying-fetch";
export type { PayingScheme } from "../x402/paying-scheme";
export type { CheckedRefundRequest } from "../x402/refund-request";
export type { SellerRequest } from "../x402/seller-request";
export type { SellingOptions, SellingScheme } from "../x402/selling-scheme";
