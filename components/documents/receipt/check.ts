import { decodeReceipt } from "@/lib/ledger/receipt";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { Chain } from "@/sdk/chain/chain";
import { checkReceipt, networkOfReceipt, type VerifiedReceipt } from "@/sdk/payments/transfers/check-receipt";
import type { CheckableNetwork } from "./checkable-network";

/** The result of a check: proven, refused with the reason, or the chain did not respond. */
export type CheckedReceiptText =
  | { outcome: "proven"; receipt: VerifiedReceipt; checkable: CheckableNetwork }
  | { outcome: "refused" | "unreachable"; reason: string };

/** Checks a receipt in this browser: recomputes its note and reads the chain. */
export async function checkReceiptText(
  text: string,
  networks: readonly CheckableNetwork[],
): Promise<CheckedReceiptText> {
  try {
    const receipt = decodeReceipt(text);
    const network = networkOfReceipt(receipt);
    const checkable = networks.find((candidate) => candidate.network === network);
    if (!checkable) return { outcome: "unreachable", reason: "This service cannot reach that receipt's chain now." };
    const chain = new Chain(checkable.rpcUrl, checkable.ledger);
    return { outcome: "proven", receipt: await checkReceipt(receipt, checkable, chain), checkable };
  } catch (thrown) {
    const { code, message } = toHalcyonError(thrown);
    if (code === "invalid_request") return { outcome: "refused", reason: message };
    return { outcome: "unreachable", reason: "The chain does not respond. Try again in a moment." };
  }
}
