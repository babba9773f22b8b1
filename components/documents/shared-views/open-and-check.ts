import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { HalcyonError } from "@/sdk/api/errors";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { Chain } from "@/sdk/chain/chain";
import { type CheckedSharedView, checkSharedView } from "@/sdk/statements/shared-views/check-shared-view";
import { decryptShared, type EncryptedSharedView } from "@/sdk/statements/shared-views/decrypt-shared";

/** The result of opening a view. */
export type DecryptedView =
  | { outcome: "opened"; view: CheckedSharedView; checkable: CheckableNetwork }
  | { outcome: "refused" | "unreachable"; reason: string };

const KEY = /^[A-Za-z0-9_-]{43}$/;

/** Fetches a view's ciphertext. One request needs nothing of the client that retries, which is 2 kB of scripts. */
async function read(id: string): Promise<EncryptedSharedView> {
  const response = await fetch(`/api/views/${encodeURIComponent(id)}`);
  const body = (await response.json()) as EncryptedSharedView & { error?: { message: string } };
  if (response.ok) return body;
  const code = response.status === 404 ? "not_found" : "unavailable";
  throw new HalcyonError(code, body.error?.message ?? "No response.");
}

/** Fetches a view's ciphertext, decrypts it in this browser and compares each payment with the chain. */
export async function openAndCheck(
  id: string,
  key: string,
  networks: readonly CheckableNetwork[],
  onProgress: (done: number, total: number) => void,
): Promise<DecryptedView> {
  try {
    if (!KEY.test(key)) {
      throw new HalcyonError(
        "invalid_request",
        "The link is incomplete: its key, the part after #, is missing or cut off.",
      );
    }
    const shared = await read(id);
    const checkable = networks.find(({ network }) => network === shared.network);
    if (!checkable) return { outcome: "unreachable", reason: "This service can't reach the view's chain now." };
    const chain = new Chain(checkable.rpcUrl, checkable.ledger);
    const view = await checkSharedView(await decryptShared(shared, key, checkable), checkable, chain, { onProgress });
    return { outcome: "opened", view, checkable };
  } catch (thrown) {
    const { code, message } = toHalcyonError(thrown);
    if (code === "invalid_request" || code === "not_found") return { outcome: "refused", reason: message };
    return { outcome: "unreachable", reason: "The service or the chain does not respond. Try again in a moment." };
  }
}
