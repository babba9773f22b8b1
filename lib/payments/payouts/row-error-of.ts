/** Why a row failed, and what to do about it. */
const MESSAGES: Readonly<Record<string, string>> = {
  recipient_not_found: "No account has this handle any more. Check it with the recipient and pay it again.",
  recipient_not_confidential_ready: "This recipient can't receive confidential payments. Ask it to finish signing up.",
  recipient_changed:
    "The handle stands for another account than when the payout was accepted. Check it with the recipient.",
  altered: "The stored row is not what you sent. Nothing was paid for it; send it in a new payout.",
  transfer_failed: "The chain did not take this payment and no money moved. Send it in a new payout.",
};

/** Returns the error of a failed row. */
export function rowErrorOf(code: string | null): { code: string; message: string } {
  const known = code ?? "invalid_request";
  return { code: known, message: MESSAGES[known] ?? "This recipient can't be paid. Check it and pay it again." };
}
