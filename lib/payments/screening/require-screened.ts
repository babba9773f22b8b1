import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { screenedAddresses } from "@/db/schema/identity";
import { giveWay } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID, type ChainId } from "@/lib/base/network";
import { isSanctioned } from "./is-sanctioned";

const HOUR_MS = 3_600_000;
/** How long a screening result is valid. */
export const SCREENING_HOURS = 24;

/**
 * Screens the recipient of a public payment on the live network, if the operator has configured screening. Call it
 * outside of transactions. The ledger itself screens no one, so a wallet that bypasses this service is not screened.
 *
 * @param address in lower case
 * @throws ApiError `recipient_blocked` for a sanctioned address, `unavailable` when it could not be screened
 */
export async function requireScreened(
  chainId: ChainId,
  address: `0x${string}`,
  now = new Date(),
  { screening } = env(),
): Promise<void> {
  if (!screening || chainId !== CHAIN_ID.live) return;
  const since = new Date(now.getTime() - SCREENING_HOURS * HOUR_MS);
  const [known] = await db().select().from(screenedAddresses).where(eq(screenedAddresses.address, address));
  const isListed = known && known.screenedAt > since ? known.isListed : await screen(screening, address, now);
  if (isListed) {
    throw new ApiError("recipient_blocked", "This address can't be paid: it is on a sanctions list.", { param: "to" });
  }
}

async function screen(
  settings: { apiUrl: string; apiKey: string },
  address: `0x${string}`,
  now: Date,
): Promise<boolean> {
  giveWay();
  const isListed = await isSanctioned(settings, address);
  const kept = { isListed, screenedAt: now };
  await db()
    .insert(screenedAddresses)
    .values({ address, ...kept })
    .onConflictDoUpdate({ target: screenedAddresses.address, set: kept });
  return isListed;
}
