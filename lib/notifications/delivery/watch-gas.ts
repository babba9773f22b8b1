import { parseEther } from "viem";
import { db } from "@/db/client";
import { noticedThings } from "@/db/schema/notifications";
import { publicClient } from "@/lib/chain/clients";
import { ANCHOR_POSITION, RELAYERS_PER_CHAIN, relayerAccount } from "@/lib/chain/relayer";
import { env } from "@/lib/env";
import { scheduleNotification } from "@/lib/events/notify-owner";
import type { ChainId } from "@/lib/network";
import { OPERATOR } from "./send-notification";

/** As the alarm HalcyonRelayerLow (deploy/prometheus/rules.yaml). */
export const LOW_WEI = parseEther("0.05");
const PAUSE_MS = 5 * 60_000;

/**
 * Notifies the operator, and no account, that a relayer of a chain runs out of gas: once a day and relayer while it does. What
 * relayers have is public, but whose service it is that stops is not anyone's business.
 *
 * @returns after how many milliseconds to look again
 */
export async function watchGas(chainId: ChainId, now: Date): Promise<number> {
  if (!env().mail?.operator) return PAUSE_MS;
  const positions = [ANCHOR_POSITION, ...Array(RELAYERS_PER_CHAIN).keys()];
  const addresses = positions.map((position) => relayerAccount(chainId, position).address);
  const balances = await Promise.all(addresses.map((address) => publicClient(chainId).getBalance({ address })));
  const low = addresses.filter((_, at) => (balances[at] ?? LOW_WEI) < LOW_WEI);
  const day = now.toISOString().slice(0, 10);
  for (const address of low) {
    await db().transaction(async (tx) => {
      const subject = `${chainId}/${address}/${day}`;
      const [first] = await tx
        .insert(noticedThings)
        .values({ kind: "relayer_gas", subject, noticedAt: now })
        .onConflictDoNothing()
        .returning({ subject: noticedThings.subject });
      if (!first) return;
      await scheduleNotification(tx, { target: OPERATOR, kind: "relayer_gas", chainId, cause: subject }, now);
    });
  }
  return PAUSE_MS;
}
