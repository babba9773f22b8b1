import { setTimeout as sleep } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { availableBalances } from "@/db/schema/ledger";
import { assetBySymbol } from "@/lib/base/assets";
import { waitingAt } from "@/lib/payments/waiting-payments";
import type { Owner } from "./owner";

const POLL_MS = 5;
const HOUR_MS = 3_600_000;

/**
 * Requests an account's payments in turn while a client holds its balance lock, so that all of them are waiting when
 * the lock ends. Payments that need no lock have finished by then.
 *
 * @param meanwhile runs when all of them are waiting, before the lock ends
 */
export async function whileLocked<T>(
  { chainId, address }: Owner,
  asking: readonly (() => Promise<T>)[],
  meanwhile: (asked: readonly Promise<T>[]) => Promise<unknown> = async () => {},
): Promise<PromiseSettledResult<T>[]> {
  const availableId = { chainId, account: address, asset: assetBySymbol(chainId).address };
  const lock = (token: string | null) =>
    db()
      .update(availableBalances)
      .set({ lockToken: token, lockUntil: token === null ? null : new Date(Date.now() + HOUR_MS) })
      .where(
        and(
          eq(availableBalances.chainId, chainId),
          eq(availableBalances.account, availableId.account),
          eq(availableBalances.asset, availableId.asset),
        ),
      );
  await lock("test");
  const asked: Promise<T>[] = [];
  let ended = 0;
  for (const ask of asking) {
    const one = ask();
    const count = () => {
      ended += 1;
    };
    one.then(count, count);
    asked.push(one);
    while (waitingAt(availableId) + ended < asked.length) await sleep(POLL_MS);
  }
  await meanwhile(asked);
  await lock(null);
  return Promise.allSettled(asked);
}
