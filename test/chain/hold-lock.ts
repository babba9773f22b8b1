import { once } from "node:events";
import { holdingChainLock } from "@/lib/chain/advisory-lock";

/*
 * Takes a chain's lock and says so. Once its input has ended, says whether it still holds the lock.
 */

const work = async (stillHeld: () => Promise<void>) => {
  console.log("held");
  process.stdin.resume();
  await once(process.stdin, "end");
  await stillHeld();
};
const isHeld = await holdingChainLock("sweep", 46630, work).catch(() => false);
console.log(isHeld ? "kept" : "lost");
process.exit();
