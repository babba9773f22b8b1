import { createTestClient, http } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { availableBalances } from "@/db/schema/ledger";
import { assetBySymbol } from "@/lib/base/assets";
import { chainEnv } from "@/lib/chain/clients";
import type { AuthorityDraft } from "@/lib/ledger/authority/authority-documents";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { seconds } from "@/test/accounts/available-holder";
import { Owner, settled } from "@/test/accounts/owner";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { abandon } from "./abandon";
import { releaseBalanceLock, takeBalanceLock } from "./balance-lock";
import { readLedger } from "./read-ledger";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  owner = await Owner.funded(CHAIN, 5_000_000n);
});
afterAll(() => services?.stop());

const ledger = () => readLedger(owner.session, { asset: "USDG" });

/** Signs `Abandon` of the owner's current available balance, with changed fields. */
async function sign(change: Partial<AuthorityDraft<"abandon">> = {}, by = owner.walletKey) {
  const { available, nonce } = await ledger();
  const draft: AuthorityDraft<"abandon"> = {
    kind: "abandon",
    account: owner.address,
    asset: assetBySymbol(CHAIN).address,
    old_available: available.commitment,
    nonce,
    deadline: `${seconds(3_600)}`,
    ...change,
  };
  return signAuthority<"abandon">(owner.scope, draft, keySigner(by));
}

test("an available balance is given up by the wallet alone, as it is now, and no other available balance with it", async () => {
  const before = await ledger();
  const other = await Owner.create(CHAIN);
  const refused: [Awaited<ReturnType<typeof sign>>, object][] = [
    [await sign({ account: other.address }), { param: "account" }],
    [await sign({ asset: other.address }), { param: "asset" }],
    [await sign({ old_available: EMPTY_AVAILABLE_HEX }), { code: "available_balance_changed" }],
    [await sign({ nonce: `${BigInt(before.nonce) + 1n}` }), { param: "signature" }],
    [await sign({}, derivePaymentKey(owner.authority, owner.scope).privateKey), { param: "signature" }],
    [await sign({}, other.walletKey), { param: "signature" }],
  ];
  for (const [document, error] of refused) {
    await expect(abandon(owner.session, document)).rejects.toMatchObject(error);
  }
  expect(await ledger()).toEqual(before);
  expect(await settled((await abandon(owner.session, await sign())).id)).toEqual(["confirmed"]);
  expect((await ledger()).available).toMatchObject({ commitment: EMPTY_AVAILABLE_HEX, sync_required: false });
});

test("an available balance stands still for half a minute at most, unless its wallet is a contract with several signers", async () => {
  const node = createTestClient({ mode: "anvil", transport: http(chainEnv(CHAIN).rpcUrl) });
  const take = (until?: bigint) =>
    takeBalanceLock(owner.session, { asset: "USDG", ...(until && { until: `${until}` }) });
  const until = seconds(6 * 3_600);
  await expect(take(until)).rejects.toMatchObject({ code: "invalid_request", param: "until" });
  // A key that delegates to a contract (EIP-7702) can still sign at once.
  await node.setCode({ address: owner.address, bytecode: `0xef0100${"11".repeat(20)}` });
  await expect(take(until)).rejects.toMatchObject({ param: "until" });
  await node.setCode({ address: owner.address, bytecode: "0x5f" });
  await expect(take(seconds(25 * 3_600))).rejects.toMatchObject({ param: "until" });
  expect((await take(until)).expiresAt.getTime()).toBe(Number(until) * 1000);
  await releaseBalanceLock(owner.session, { asset: "USDG" });
  await node.setCode({ address: owner.address, bytecode: "0x" });
  expect((await take()).expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 30_000);
});

test("an available balance is locked by the database's clock, whatever the clock of the process", async () => {
  await releaseBalanceLock(owner.session, { asset: "USDG" });
  const real = Date.now();
  vi.useFakeTimers({ toFake: ["Date"], now: real + 3_600_000 });
  try {
    const { expiresAt } = await takeBalanceLock(owner.session, { asset: "USDG" });
    expect(expiresAt.getTime()).toBeLessThan(real + 300_000);
    await expect(takeBalanceLock(owner.session, { asset: "USDG" })).rejects.toMatchObject({ code: "rate_limited" });
  } finally {
    vi.useRealTimers();
    await releaseBalanceLock(owner.session, { asset: "USDG" });
  }
});

test("a device whose lock has expired cannot end the lock that another device took meanwhile", async () => {
  await releaseBalanceLock(owner.session, { asset: "USDG" });
  const take = () => takeBalanceLock(owner.session, { asset: "USDG" });
  const slow = await take();
  await db()
    .update(availableBalances)
    .set({ lockUntil: new Date(Date.now() - 60_000) });
  const running = await take();
  await releaseBalanceLock(owner.session, { asset: "USDG", lock_token: slow.token });
  await expect(take()).rejects.toMatchObject({ code: "rate_limited" });
  await releaseBalanceLock(owner.session, { asset: "USDG", lock_token: running.token });
  await expect(take()).resolves.toBeDefined();
});
