import { setTimeout as sleep } from "node:timers/promises";
import { syncRequired } from "@/lib/balances/lock";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { decryptPayoutKey } from "@/lib/ledger/encrypted/payout";
import type { Payout } from "./find-payout";
import { keepWorking } from "./keep-working";
import { nextGroup } from "./next-group";
import { pausePayout } from "./pause-payout";
import { payGroup } from "./pay-group";
import { PAUSE_AFTER_MS, WORK_MS } from "./work-time";

/** How long to wait while another request has locked the rows. */
const BUSY_MS = 200;

/**
 * Pays the pending rows of a payout, batch by batch, until none is left or the time is up. Any number of requests may
 * do so at once: each batch is one transaction, which locks its rows.
 *
 * An error of the account as a whole (its balance, its key, its policy) pauses the payout, and the client sees why. If
 * the service is busy, the payout is not paused: the client sends the same request again.
 *
 * @throws ApiError `unauthorized` when the key was revoked in the meantime
 */
export async function workOnPayout(ctx: KeyContext, payout: Payout, until: number, now = Date.now): Promise<void> {
  // A payout that is done has no key, even if a payment of it is open again.
  if (payout.encryptedKey === "0x" || !(await keepWorking(payout.id, WORK_MS))) return;
  try {
    const work = { ctx: { ...ctx, idempotencyKey: undefined }, payout, scope: await scopeOf(ctx.chainId) };
    const key = await keyOf(ctx, payout);
    let allSent = false;
    try {
      for (let renewed = now(); now() < until; ) {
        const group = await nextGroup(payout.id);
        allSent = group.length === 0;
        if (allSent) break;
        if ((await payGroup({ ...work, key }, group)) === "busy") await sleep(BUSY_MS);
        if (now() - renewed < WORK_MS / 4) continue;
        renewed = now();
        if (!(await keepWorking(payout.id, WORK_MS))) return;
      }
    } finally {
      key.fill(0);
    }
    await keepWorking(payout.id, allSent ? 0 : PAUSE_AFTER_MS);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === "unavailable" || error.code === "rate_limited") return;
    await pausePayout(payout.id, error.code);
    if (error.code === "unauthorized") throw error;
  }
}

/**
 * Returns the decrypted key of a payout.
 *
 * @throws ApiError `sync_required` while the key is encrypted under an earlier account secret
 */
async function keyOf(ctx: KeyContext, { id, rows, encryptedKey, secretVersion }: Payout): Promise<Uint8Array> {
  const { secret, authority, secretVersion: version } = await ctx.unwrap();
  authority.fill(0);
  try {
    if (version !== secretVersion) throw syncRequired();
    const ref = { payoutId: id, rows };
    return decryptPayoutKey(secret, await scopeOf(ctx.chainId), ctx.account.address, ref, fromHex(encryptedKey));
  } finally {
    secret.fill(0);
  }
}
