import { asc, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { events } from "@/db/schema/events";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { ASSET, apply, newCommitment, newParty, type Party, place } from "@/test/settlement/final-payments";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services?.stop());

const UNITS = 7_654_321n;
const deposited = ({ address }: { address: Hex }, txHash?: Hex): LedgerEvent => ({
  ...place(txHash),
  eventName: "Deposited",
  args: { account: address, asset: ASSET, units: UNITS },
});
const madeAvailable = ({ address }: Party, txHash?: Hex): LedgerEvent => ({
  ...place(txHash),
  eventName: "MadeAvailable",
  args: {
    account: address,
    asset: ASSET,
    oldAvailable: BigInt(newCommitment()),
    newAvailable: BigInt(newCommitment()),
    notes: [0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
    deposited: UNITS,
    changeNote: 0n,
    ciphertext: "0x",
  },
});

const announced = ({ id }: Party) =>
  db().select().from(events).where(eq(events.rootId, id)).orderBy(asc(events.createdAt), asc(events.id));

test("a deposit and what is made available are announced once, to their owner, also if others sent them, without amounts", async () => {
  const [owner, other] = [await newParty(), await newParty()];
  const agent = await newParty(owner);
  const [first, second] = [deposited(owner), madeAvailable(owner)];
  const stranger = { address: `0x${"5e".repeat(20)}` } as const;
  await apply([first, second, deposited(stranger), deposited(agent)]);
  const list = await announced(owner);
  expect(list.map(({ type, accountId }) => [type, accountId])).toEqual([
    ["deposit.confirmed", owner.id],
    ["balance.made_available", owner.id],
    ["deposit.confirmed", agent.id],
  ]);
  expect(list[0]?.payload).toMatchObject({ asset: ASSET, tx_hash: first.transactionHash });
  expect(JSON.stringify(list)).not.toContain(String(UNITS));
  expect(await announced(other)).toEqual([]);
});

test("what is indexed again, in the same block or mined again in another, is not announced again", async () => {
  const owner = await newParty();
  const hash = newCommitment();
  // One transaction can deposit twice for one account.
  await apply([deposited(owner, hash), deposited(owner, hash)]);
  expect(await announced(owner)).toHaveLength(2);
  await apply([deposited(owner), deposited(owner, hash), deposited(owner, hash)]);
  expect((await announced(owner)).map(({ type }) => type)).toEqual(Array(3).fill("deposit.confirmed"));
});

test("an index that fails after the announcement announces nothing until it succeeds", async () => {
  const owner = await newParty();
  const [good, bad] = [
    deposited(owner),
    { ...madeAvailable(owner), args: { ...madeAvailable(owner).args, notes: null } },
  ];
  await expect(apply([good, bad as never])).rejects.toThrow();
  expect(await announced(owner)).toEqual([]);
  await apply([good]);
  expect(await announced(owner)).toHaveLength(1);
});
