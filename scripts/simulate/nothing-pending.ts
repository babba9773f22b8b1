import { sleep } from "../stack/processes";
import type { Party } from "./world";

const SETTLE_MS = 300_000;

/** Waits until none of a party's payments is on its way. Asks as the wallet: a rotation may have ended the API key. */
export async function nothingPending({ wallet }: Party): Promise<void> {
  for (const end = performance.now() + SETTLE_MS; performance.now() < end; await sleep(200)) {
    const { transfers } = await wallet.transfers.listDecrypted({ status: "pending", limit: 1 });
    if (transfers.length === 0) return;
  }
}
