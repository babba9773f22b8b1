import { sql } from "@/db/client";
import { holdingChainLock } from "@/lib/chain/advisory-lock";
import type { ChainId } from "@/lib/network";
import { checkOpen } from "./check-open";
import { nudgeClock } from "./nudge-clock";
import { reprice } from "./reprice";
import { resendFailed } from "./resend-failed";
import { sendAgain } from "./send-again";

/**
 * Takes care of everything that is signed and not settled, in one worker at a time: sends what was never sent or got
 * lost, finds what was mined without an event, raises fees of stuck transactions, and repeats failed attempts.
 *
 * @returns whether there was anything to do
 * @throws the first error of its steps, once all have run
 */
export async function sweep(chainId: ChainId): Promise<boolean> {
  if (!(await anythingOpen(chainId))) return false;
  await holdingChainLock("sweep", chainId, async () => {
    const failures: unknown[] = [];
    // A step that fails, because of one account's rows say, holds up no other.
    for (const step of [checkOpen, sendAgain, reprice, resendFailed, nudgeClock]) {
      await step(chainId).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  });
  return true;
}

async function anythingOpen(chainId: ChainId): Promise<boolean> {
  const [row] = await sql()<{ open: boolean }[]>`
    select exists (select from outgoing_transactions where chain_id = ${chainId} and status in ('signed', 'sent'))
      or exists (select from operations where chain_id = ${chainId} and status = 'pending') as open`;
  return row?.open === true;
}
