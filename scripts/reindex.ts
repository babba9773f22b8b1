import { closeDb, db } from "@/db/client";
import { waitChainLock } from "@/lib/chain/advisory-lock";
import { CHAIN_IDS } from "@/lib/chain/clients";
import { blockAt, finalBlock, readIndexCursor } from "@/lib/chain/index/cursor";
import { rebuildIndex } from "@/lib/settlement/rebuild-index";
import { printable } from "./stack/printable";
import { adoptRunningStack } from "./stack/running-env";

// `npm run reindex`: rebuilds records, notes, deposited money and available balance commitments from the chains, and
// updates transfers to match. Encrypted states stay. May run while the service runs; its worker waits in the meantime.
try {
  await adoptRunningStack();
  for (const chainId of CHAIN_IDS) {
    await db().transaction(async (tx) => {
      await waitChainLock(tx, "index", chainId);
      // Up to the index's previous position. Later blocks settle as usual afterwards.
      const cursor = await readIndexCursor(tx, chainId);
      const until = (cursor && (await blockAt(chainId, cursor.blockNumber))) ?? (await finalBlock(chainId));
      await rebuildIndex(tx, chainId, until, (block, events) => {
        process.stdout.write(`chain ${chainId}: up to block ${block}, ${events} events\n`);
      });
    });
  }
} catch (error) {
  console.error(printable(error));
  process.exitCode = 1;
} finally {
  await closeDb();
}
