import { HalcyonError } from "@/sdk/api/errors";
import { sleep } from "../stack/processes";
import { AGAIN } from "./codes-to-ask-again";
import type { Party } from "./world";

const SETTLE_MS = 300_000;

/**
 * Waits until none of a party's payments is on its way. Asks as the wallet: a rotation may have ended the API key.
 *
 * @throws HalcyonError `unavailable` when that takes too long
 */
export async function nothingPending({ handle, wallet }: Party): Promise<void> {
  let last = "a payment is on its way";
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await sleep(200)) {
    try {
      const { transfers } = await wallet.transfers.listDecrypted({ status: "pending", limit: 1 });
      if (transfers.length === 0) return;
    } catch (error) {
      // An internal error is a finding, also here.
      if (!(error instanceof HalcyonError) || error.code === "internal" || !AGAIN.has(error.code)) throw error;
      last = `${error.code}: ${error.message}`;
    }
  }
  throw new HalcyonError("unavailable", `@${handle} is not settled after ${SETTLE_MS / 1000} s: ${last}`);
}
