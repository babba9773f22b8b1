import { and, asc, eq, gt, isNotNull, or } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { apiKeys } from "@/db/schema/keys";
import type { Layered } from "@/lib/accounts/pepper-layer";
import { type Reencrypted, renewPepperLayer } from "@/lib/accounts/pepper-layer";
import { acceptedPeppers } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { accessPlace, wrapPlace } from "./wrap-layer";

const BATCH = 200;
const wraps = or(isNotNull(apiKeys.wrap), isNotNull(apiKeys.flagWrap), isNotNull(apiKeys.accessWrap));

/**
 * Encrypts what API keys wrap under `SERVER_PEPPER` where it is still under `SERVER_PEPPER_PREVIOUS`. It may run while
 * the product runs, and be repeated: each key is changed under the lock of its row, so a revocation that comes in
 * between deletes every wrap for good.
 */
export async function reencryptWraps(): Promise<Reencrypted> {
  const done: Reencrypted = { reencrypted: 0, unreadable: 0 };
  for (let after: string | undefined = ""; after !== undefined; ) after = await reencryptBatch(after, done);
  return done;
}

/** Processes the keys that follow an id. Returns the last id of the batch; undefined at the end. */
async function reencryptBatch(after: string, done: Reencrypted): Promise<string | undefined> {
  const keys = await db()
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(gt(apiKeys.id, after), wraps))
    .orderBy(asc(apiKeys.id))
    .limit(BATCH);
  for (const { id } of keys) {
    const outcome = await reencryptKey(id);
    if (outcome !== "current") done[outcome]++;
  }
  return keys.at(-1)?.id;
}

function reencryptKey(id: string): Promise<keyof Reencrypted | "current"> {
  return db().transaction(async (tx) => {
    const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, id)).for("update");
    if (!key) return "current";
    const holderId = key.agentId ?? key.accountId;
    const [holder] = await tx.select({ address: accounts.address }).from(accounts).where(eq(accounts.id, holderId));
    if (!holder) return "unreadable";
    const ref = {
      scope: await scopeOf(key.chainId as ChainId),
      holder: holder.address,
      version: key.secretVersion,
      schedule: key.scheduleId ?? undefined,
    };
    const hash = fromHex(key.hash);
    const renew = (place: Layered, encrypted: `0x${string}` | null) =>
      encrypted && renewPepperLayer(acceptedPeppers(), place, fromHex(encrypted));
    const [wrap, flagWrap] = [
      renew(wrapPlace("wrap", hash, ref), key.wrap),
      renew(wrapPlace("flag wrap", hash, ref), key.flagWrap),
    ];
    const accessWrap =
      key.requestKey && renew(accessPlace(hash, { ...ref, requestKey: fromHex(key.requestKey) }), key.accessWrap);
    const renewed = {
      ...(wrap instanceof Uint8Array && { wrap: toHex(wrap) }),
      ...(flagWrap instanceof Uint8Array && { flagWrap: toHex(flagWrap) }),
      ...(accessWrap instanceof Uint8Array && { accessWrap: toHex(accessWrap) }),
    };
    const changed = Object.keys(renewed).length > 0;
    if (changed) await tx.update(apiKeys).set(renewed).where(eq(apiKeys.id, id));
    if ([wrap, flagWrap, accessWrap].includes("unreadable")) return "unreadable";
    return changed ? "reencrypted" : "current";
  });
}
