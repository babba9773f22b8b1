import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents } from "@/db/schema/agents";
import { ledgerDomains } from "@/db/schema/ledger";
import { acceptedPeppers, env } from "@/lib/base/env";
import { newId } from "@/lib/base/ids";
import { chainEnv } from "@/lib/chain/clients";
import { scopeOf } from "@/lib/chain/scope-of";
import { fromHex, randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { startLocalDatabase } from "@/test/services/local-database";
import { withSettings } from "@/test/services/with-settings";
import { reencryptWallets } from "./reencrypt-wallets";
import { addLayer, removeLayer } from "./wallet-layer";

const CHAIN = 46630;
let database: { stop(): Promise<void> };
beforeAll(async () => {
  database = await startLocalDatabase();
  const ledger = chainEnv(CHAIN).ledger.toLowerCase() as Hex;
  await db()
    .insert(ledgerDomains)
    .values({ chainId: CHAIN, ledger, salt: toHex(randomBytes(32)) });
});
afterAll(() => database?.stop());

const random = () => toHex(randomBytes(32)).slice(2);
const [before, after] = [random(), random()];
const both = { SERVER_PEPPER: after, SERVER_PEPPER_PREVIOUS: before };

/** Creates an agent whose wallet is encrypted under this process's pepper. Returns the inner ciphertext. */
async function makeAgent() {
  const [address, inner] = [toHex(randomBytes(20)), toHex(randomBytes(60))];
  const [owner, id] = [newId("account"), newId("account")];
  const common = { type: "agent" as const, createdAt: new Date() };
  await db()
    .insert(accounts)
    .values({
      ...common,
      id: owner,
      type: "personal",
      handle: `o${random().slice(0, 10)}`,
      address: toHex(randomBytes(20)),
    });
  await db()
    .insert(accounts)
    .values({ ...common, id, handle: `o/${random().slice(0, 10)}`, address, ownerId: owner, chainId: CHAIN });
  const ref = { scope: await scopeOf(CHAIN), agent: address };
  const wallet = toHex(addLayer(env().serverPepper, ref, fromHex(inner)));
  await db().insert(agents).values({ accountId: id, chainId: CHAIN, status: "active", wallet, secretVersion: 1 });
  const open = async () => {
    const [row] = await db().select({ wallet: agents.wallet }).from(agents).where(eq(agents.accountId, id));
    return toHex(removeLayer(acceptedPeppers(), ref, fromHex(row?.wallet ?? "0x")));
  };
  return { id, inner, open };
}

test("agents' wallets open at every step of a rotation, and under the new pepper alone once they are reencrypted", async () => {
  const old = await withSettings({ SERVER_PEPPER: before }, makeAgent);
  // Created by a process that already has the new pepper, while others still write with the old one.
  const early = await withSettings(both, makeAgent);
  const accepting = { SERVER_PEPPER: before, SERVER_PEPPER_PREVIOUS: after };
  for (const step of [accepting, both]) {
    for (const { open, inner } of [old, early]) expect(await withSettings(step, open)).toBe(inner);
  }
  expect(await withSettings(both, reencryptWallets)).toEqual({ reencrypted: 1, unreadable: 0 });
  expect(await withSettings(both, reencryptWallets)).toEqual({ reencrypted: 0, unreadable: 0 });
  for (const { open, inner } of [old, early]) {
    expect(await withSettings({ SERVER_PEPPER: after }, open)).toBe(inner);
    await expect(withSettings({ SERVER_PEPPER: before }, open)).rejects.toMatchObject({ name: "DecryptionFailed" });
  }
});

test("a wallet that opens under neither pepper is counted and stays as it is", async () => {
  const { id, open, inner } = await withSettings({ SERVER_PEPPER: before }, makeAgent);
  const other = { SERVER_PEPPER: random(), SERVER_PEPPER_PREVIOUS: random() };
  const { unreadable } = await withSettings(other, reencryptWallets);
  expect(unreadable).toBeGreaterThan(0);
  expect(await withSettings({ SERVER_PEPPER: before }, open), id).toBe(inner);
});
