import type { HalcyonError, HalcyonErrorCode } from "../api/errors";
import { OutcomeUnknown, ResponseLost } from "../payments/attempts/outcome-unknown";

/** The exit statuses, for scripts. They are stable: a number never changes its meaning. */
export const EXIT = {
  done: 0,
  internal: 1,
  outcomeUnknown: 2,
  usage: 3,
  credentials: 4,
  refused: 5,
  notFound: 6,
  rateLimited: 7,
  unavailable: 8,
  /** The status of a program that SIGINT ended: 128 plus the signal's number. */
  interrupted: 130,
  /** The status for SIGPIPE: the reader closed the output. */
  closedPipe: 141,
} as const;

/** An exit status of the command line. */
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** What each status means, as shown in the help and the README. */
export const EXIT_MEANINGS: readonly (readonly [ExitStatus, string])[] = [
  [EXIT.done, "success"],
  [EXIT.internal, "something failed inside the service or this program"],
  [EXIT.outcomeUnknown, "not yet known whether money moved; the message says how to find out"],
  [EXIT.usage, "the command line or a value in it is wrong"],
  [EXIT.credentials, "a key or wallet is missing, wrong, or not allowed to do this"],
  [EXIT.refused, "refused: by a policy, for lack of money, or by the state of things"],
  [EXIT.notFound, "not found"],
  [EXIT.rateLimited, "too many requests; try again later"],
  [EXIT.unavailable, "the service or the chain does not respond, or not in time"],
  [EXIT.interrupted, "stopped with Ctrl-C"],
  [EXIT.closedPipe, "the reader of the output closed it"],
];

/** Thrown by a command that has printed its result and still did not do what it was asked. */
export class EndedWith {
  constructor(readonly status: ExitStatus) {}
}

/** The exit status of each error code. */
export const EXIT_STATUS: Readonly<Record<HalcyonErrorCode, ExitStatus>> = {
  invalid_request: EXIT.usage,
  invalid_policy: EXIT.usage,
  method_not_allowed: EXIT.usage,
  unauthorized: EXIT.credentials,
  key_forbidden: EXIT.credentials,
  not_agent_owner: EXIT.credentials,
  insufficient_balance: EXIT.refused,
  kyc_required: EXIT.refused,
  recipient_blocked: EXIT.refused,
  policy_violation: EXIT.refused,
  policy_not_in_force: EXIT.refused,
  transaction_expired: EXIT.refused,
  handle_taken: EXIT.refused,
  reference_in_use: EXIT.refused,
  refund_conflict: EXIT.refused,
  refund_not_possible: EXIT.refused,
  payment_request_closed: EXIT.refused,
  idempotency_in_progress: EXIT.refused,
  idempotency_mismatch: EXIT.refused,
  available_balance_changed: EXIT.refused,
  sync_required: EXIT.refused,
  schedule_changed: EXIT.refused,
  run_not_payable: EXIT.refused,
  recipient_not_confidential_ready: EXIT.refused,
  decryption_proof_invalid: EXIT.refused,
  not_found: EXIT.notFound,
  recipient_not_found: EXIT.notFound,
  transaction_not_found: EXIT.notFound,
  rate_limited: EXIT.rateLimited,
  internal: EXIT.internal,
  unavailable: EXIT.unavailable,
  outcome_unknown: EXIT.outcomeUnknown,
  transfer_failed: EXIT.refused,
  aborted: EXIT.interrupted,
};

/** Returns the exit status for an error. An unknown outcome overrides the error's own code. */
export function exitStatusOf(error: HalcyonError): ExitStatus {
  if (error instanceof OutcomeUnknown || error instanceof ResponseLost) return EXIT.outcomeUnknown;
  return EXIT_STATUS[error.code];
}
