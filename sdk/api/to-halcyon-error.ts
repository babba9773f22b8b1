import type { ErrorCode } from "@/lib/base/errors";
import { InvalidAmount } from "@/lib/base/money";
import {
  DecryptionFailed,
  InsufficientAvailableBalance,
  InsufficientFunds,
  InvalidApiKey,
  InvalidCommitment,
  InvalidMemo,
  InvalidProofOfFunds,
  InvalidReceipt,
  InvalidRecoveryCode,
  InvalidRequestLink,
  InvalidSharedView,
  InvalidUnits,
  LedgerError,
  UnusableViewingKey,
} from "@/lib/ledger/crypto/errors";
import { RefusedByPolicy } from "@/lib/ledger/prepare/refused-by-policy";
import type { PolicyReason } from "@/lib/policy/policy-violation";
import { ChainUnreachable, HalcyonError, UnreadableResponse } from "./errors";

/**
 * Maps the ledger's reasons to those of the service. Above the approval threshold, the payment needs the wallet or an
 * approval.
 */
const REASONS = {
  no_policy: "asset_not_allowed",
  per_transaction_limit: "per_transaction_limit",
  daily_limit: "daily_limit",
  approval_threshold: "per_transaction_limit",
} as const satisfies Record<RefusedByPolicy["reason"], PolicyReason>;

function codeOf(error: LedgerError): ErrorCode {
  if (error instanceof InsufficientAvailableBalance || error instanceof InsufficientFunds)
    return "insufficient_balance";
  if (error instanceof UnusableViewingKey) return "recipient_not_confidential_ready";
  if (error instanceof InvalidApiKey) return "unauthorized";
  const refused = [
    InvalidUnits,
    InvalidMemo,
    InvalidRecoveryCode,
    InvalidReceipt,
    InvalidProofOfFunds,
    InvalidRequestLink,
    InvalidSharedView,
  ];
  if (refused.some((kind) => error instanceof kind)) return "invalid_request";
  return "internal";
}

/** Yields an error and its causes, outermost first. */
function* chainOf(thrown: unknown): Generator<Error> {
  for (let error = thrown; error instanceof Error; error = error.cause) yield error;
}

/**
 * Translates an error from viem or from a chain's node. The original is dropped, even as `cause`: its text contains the
 * request's body, and maybe the RPC address with its key.
 */
function ofChain(errors: readonly Error[]): HalcyonError | null {
  const isViem = errors.some((error) => "shortMessage" in error || error.name === "RpcError");
  if (!isViem) return null;
  const named = (...names: string[]) => errors.find(({ name }) => names.includes(name));
  if (named("HttpRequestError", "TimeoutError", "WebSocketRequestError")) return new ChainUnreachable();
  if (named("WaitForTransactionReceiptTimeoutError")) {
    return new HalcyonError("unavailable", "The transaction is in no block yet. Look again later.");
  }
  if (named("InsufficientFundsError")) {
    return new HalcyonError("insufficient_balance", "The wallet does not have enough ETH to pay for gas.");
  }
  const reverted = named("ContractFunctionRevertedError", "ExecutionRevertedError");
  if (reverted) {
    const { data } = reverted as { data?: { errorName?: string } };
    const why = data?.errorName ? ` (${data.errorName})` : "";
    return new HalcyonError("unavailable", `The ledger contract refused the call${why}.`);
  }
  if (named("ContractFunctionZeroDataError", "AbiDecodingZeroDataError")) {
    return new HalcyonError(
      "unavailable",
      "The chain has no ledger at this address. Check the RPC address (option rpcUrl).",
    );
  }
  if (named("InvalidAddressError")) return new HalcyonError("invalid_request", "This is not an address.");
  const { code } = (named("RpcError", "RpcRequestError") ?? {}) as { code?: number };
  const which = typeof code === "number" ? ` (code ${code})` : "";
  return new HalcyonError("unavailable", `The chain's RPC returned an error${which}. Try again, or use another RPC.`, {
    param: "rpcUrl",
  });
}

/** Throws any thrown value as a `HalcyonError`. */
export function throwHalcyonError(thrown: unknown): never {
  throw toHalcyonError(thrown);
}

/** Converts any thrown value to a `HalcyonError` with a message for people. */
export function toHalcyonError(thrown: unknown): HalcyonError {
  const errors = [...chainOf(thrown)];
  // viem may have wrapped it.
  const own = errors.find((error) => error instanceof HalcyonError);
  if (own) return own;
  if (thrown instanceof RefusedByPolicy) {
    return new HalcyonError("policy_violation", thrown.message, { cause: thrown, reason: REASONS[thrown.reason] });
  }
  // Ciphertexts and commitments come from the service and the chain.
  if (thrown instanceof DecryptionFailed) {
    const message = `${thrown.message} The service's response is wrong, or of another account or secret.`;
    return new HalcyonError("unavailable", message, { cause: thrown });
  }
  if (thrown instanceof InvalidCommitment) return new UnreadableResponse(thrown);
  if (thrown instanceof LedgerError) return new HalcyonError(codeOf(thrown), thrown.message, { cause: thrown });
  if (thrown instanceof InvalidAmount) {
    return new HalcyonError("invalid_request", thrown.message, { cause: thrown, param: "amount" });
  }
  const ofTheChain = ofChain(errors);
  if (ofTheChain) return ofTheChain;
  if (thrown instanceof TypeError || thrown instanceof RangeError || thrown instanceof SyntaxError) {
    return new UnreadableResponse(thrown);
  }
  // The message of a programming error doesn't help a person.
  const isTold = thrown instanceof Error && !(thrown instanceof ReferenceError) && thrown.message !== "";
  const message = isTold
    ? thrown.message
    : "Something failed in this client, or it was sent something it does not know.";
  return new HalcyonError("internal", message, { cause: thrown });
}
