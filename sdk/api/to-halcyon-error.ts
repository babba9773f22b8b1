import type { ErrorCode } from "@/lib/errors";
import {
  InsufficientBudget,
  InsufficientFunds,
  InvalidApiKey,
  InvalidMemo,
  InvalidReceipt,
  InvalidRecoveryCode,
  InvalidUnits,
  LedgerError,
  UnusableViewingKey,
} from "@/lib/ledger/crypto/errors";
import { InvalidAmount } from "@/lib/money";
import { ChainUnreachable, HalcyonError } from "./errors";

function codeOf(error: LedgerError): ErrorCode {
  if (error instanceof InsufficientBudget || error instanceof InsufficientFunds) return "insufficient_balance";
  if (error instanceof UnusableViewingKey) return "recipient_not_confidential_ready";
  if (error instanceof InvalidApiKey) return "unauthorized";
  const refused = [InvalidUnits, InvalidMemo, InvalidRecoveryCode, InvalidReceipt];
  if (refused.some((kind) => error instanceof kind)) return "invalid_request";
  return "internal";
}

/** Whether one of viem's requests found nobody: its errors wrap each other. */
function isUnanswered(thrown: unknown): boolean {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error.name === "HttpRequestError" || error.name === "TimeoutError") return true;
  }
  return false;
}

/** Any thrown value as a `HalcyonError`, its message fit for a person. */
export function toHalcyonError(thrown: unknown): HalcyonError {
  if (thrown instanceof HalcyonError) return thrown;
  if (thrown instanceof LedgerError) return new HalcyonError(codeOf(thrown), thrown.message, { cause: thrown });
  if (thrown instanceof InvalidAmount) return new HalcyonError("invalid_request", thrown.message, { cause: thrown });
  if (isUnanswered(thrown)) return new ChainUnreachable({ cause: thrown });
  // viem's errors hold request bodies in `message`; `shortMessage` does not.
  const short = (thrown as { shortMessage?: unknown } | undefined)?.shortMessage;
  if (typeof short === "string")
    return new HalcyonError("unavailable", `The chain responded: ${short}`, { cause: thrown });
  const message = thrown instanceof Error ? thrown.message : "Something failed.";
  return new HalcyonError("internal", message, { cause: thrown });
}
