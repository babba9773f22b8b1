import type { HalcyonErrorCode } from "../api/errors";

const REPORT = "Report it to your operator with the request id.";

/** What a language model should do about each error, in addition to the error's message. */
export const REMEDIES: Readonly<Record<HalcyonErrorCode, string>> = {
  invalid_request: "Correct the named argument and call again.",
  invalid_policy: REPORT,
  unauthorized: "The API key is missing, wrong, expired or revoked. Ask your operator to set HALCYON_API_KEY.",
  insufficient_balance:
    "No money moved. Do not retry, nor try smaller amounts. Ask the owner to send money to this agent or to make its received money available.",
  kyc_required: "Do not retry. The owner must verify their identity first.",
  not_agent_owner: "This is the owner's to do, not yours.",
  policy_not_in_force:
    "No money moved. Do not retry. The owner must sign this agent's policy again: in the dashboard, or with `halcyon policy set`.",
  policy_violation:
    "Do not retry, split or disguise the payment. `reason` names the rule; only the owner may change it.",
  key_forbidden: "This key may not do that. Ask your operator for an agent's API key.",
  recipient_blocked:
    "No money moved. Do not retry, and do not pay this recipient in another way. Report it to the owner.",
  not_found: "Check the id with list_transfers.",
  recipient_not_found: "Check the handle's spelling with the person who named the recipient. Do not guess another.",
  transaction_not_found: "Check the id that send_payment returned, or find it with list_held_payments.",
  method_not_allowed: REPORT,
  transaction_expired: "No one decided in time and no money moved. Ask the owner before you ask again.",
  handle_taken: REPORT,
  reference_in_use:
    "A payment with this reference was made before. Look for it with list_transfers before you pay again.",
  refund_conflict: "Another refund of this payment was made meanwhile. Look at list_transfers before you refund more.",
  refund_not_possible: "Do not retry. The message says why this payment can't be refunded.",
  payment_request_closed: "No money moved. Do not retry. Ask the payee for another link if you still owe the payment.",
  idempotency_in_progress:
    "The first call is still being served. Wait some seconds, then repeat it with the same idempotency_key.",
  available_balance_changed: "Call again with the same idempotency_key.",
  sync_required: "Do not retry. The owner must sync the balance: unlock the dashboard, or run `halcyon sync`.",
  schedule_changed: REPORT,
  run_not_payable: REPORT,
  recipient_not_confidential_ready:
    "The recipient cannot receive confidential payments. Ask before you send a public payment (public: true): anyone can then see the amount.",
  decryption_proof_invalid: REPORT,
  idempotency_mismatch: "This idempotency_key was used for another payment. Use a new one for a new payment.",
  rate_limited: "Wait as long as it says, then call again with the same idempotency_key.",
  internal: "Repeat the call once with the same idempotency_key; it never pays twice. Then report it to your operator.",
  outcome_unknown:
    "Money may have moved. Repeat the call with the same idempotency_key, which never pays twice, or look at list_transfers.",
  transfer_failed: "No money moved. Use a new idempotency_key to try again.",
  aborted: "The call was stopped. Repeat it with the same idempotency_key; it never pays twice.",
  unavailable: "Wait some seconds, then repeat the call with the same idempotency_key; it never pays twice.",
};
