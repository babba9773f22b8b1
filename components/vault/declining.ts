import type { SignatureRequest } from "@/components/wallet/signature-request";
import type { VaultError } from "./protocol";

/**
 * Returns what the button says that ends a signature request without the wallet, and what the request then fails with.
 * A signature that comes late is ignored. A transaction may be sent late, so it has certainly not happened only while
 * the wallet has not been asked.
 *
 * @param waiting whether the wallet has been asked and has not responded
 */
export function declining({ kind }: SignatureRequest, waiting: boolean): { label: string; error: VaultError } {
  if (waiting && kind === "transaction") {
    return { label: "Stop waiting", error: { code: "unavailable", message: "Your wallet may still send it." } };
  }
  return { label: "Do not sign", error: { code: "aborted", message: "You did not sign." } };
}
