import { sql } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { holdingChainLock } from "@/lib/chain/advisory-lock";
import { checkOpen } from "./check-open";
import { forEachAlone } from "./for-each-alone";
import { nudgeClock } from "./nudge-clock";
import { reprice } from "./reprice";
import { resendFailed } from "./resend-failed";
import { sendAgain } from "./send-again";

const STEPS = { checkOpen, sendAgain, reprice, resendFailed, nudgeClock };

/**
 * Takes care of everything that is signed and not settled, in one worker at a time: sends what was never sent or got
 * lost, finds what was mined without an event, raises fees of stuck transactions, and repeats failed attempts.
 *
 * @returns whether there was anything to do
 * @throws the first error of its steps, once all have run; that its lock was lost, after what it was doing just then
 */
export async function sweep(chainId: ChainId): Promise<boolean> {
  if (!(await anythingOpen(chainId))) return false;
  await holdingChainLock("sweep", chainId, (stillHeld) =>
    forEachAlone(
      Object.entries(STEPS),
      stillHeld,
      ([step]) => ({ chainId, step }),
      ([, run]) => run(chainId, stillHeld),
    ),
  );
  return true;
}

async function anythingOpen(chainId: ChainId): Promise<boolean> {
  const [row] = await sql()<{ open: boolean }[]>`
    select exists (select from outgoing_transactions where chain_id = ${chainId} and status in ('signed', 'sent'))
      or exists (select from operations where chain_id = ${chainId} and status = 'pending') as open`;
  return row?.open === true;
}
