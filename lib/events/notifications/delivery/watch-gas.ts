import { and, eq, ne } from "drizzle-orm";
import { type Address, parseEther } from "viem";
import { db } from "@/db/client";
import { relayers } from "@/db/schema/chain";
import { noticedThings } from "@/db/schema/notifications";
import { env } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import { publicClient } from "@/lib/chain/clients";
import { currentFees } from "@/lib/chain/fees";
import { GAS_LIMIT } from "@/lib/chain/gas";
import { ANCHOR_POSITION, relayerAccount, relayerPositions } from "@/lib/chain/relayer";
import { scheduleNotification } from "@/lib/events/notify-owner";
import { OPERATOR } from "./send-notification";

/** The threshold of the alert HalcyonRelayerLow (deploy/prometheus/rules.yaml). */
const LOW_WEI = parseEther("0.05");
const PAUSE_MS = 60_000;

/**
 * Checks the gas balances of a chain's relayers. New payments go only to relayers that can pay for them. While a
 * relayer runs low, the operator gets one message a day. Accounts are not notified: the balances are public, but which
 * service they belong to is not.
 *
 * @returns in how many milliseconds to look again
 */
export async function watchGas(chainId: ChainId, now: Date): Promise<number> {
  const positions = [ANCHOR_POSITION, ...relayerPositions()];
  const addresses = positions.map((position) => relayerAccount(chainId, position).address);
  const balances = await Promise.all(addresses.map((address) => publicClient(chainId).getBalance({ address })));
  await noteGas(chainId, addresses, balances);
  if (!env().mail?.operator) return PAUSE_MS;
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

/**
 * Records which relayers can pay. A node accepts a transaction only if the sender's balance covers the whole gas limit
 * at the fee cap.
 */
async function noteGas(chainId: ChainId, addresses: readonly Address[], balances: readonly bigint[]): Promise<void> {
  const { maxFeePerGas } = await currentFees(chainId);
  const least = BigInt(Math.max(...Object.values(GAS_LIMIT).map(Number))) * maxFeePerGas;
  for (const [at, address] of addresses.entries()) {
    const hasGas = (balances[at] ?? 0n) >= least;
    await db()
      .update(relayers)
      .set({ hasGas })
      .where(and(eq(relayers.chainId, chainId), eq(relayers.address, lower(address)), ne(relayers.hasGas, hasGas)));
  }
}

const lower = (address: Address) => address.toLowerCase() as Address;
