import { eq } from "drizzle-orm";
import { createTestClient, http, parseEther } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import { env } from "@/lib/base/env";
import { broadcastsDone } from "@/lib/chain/broadcast";
import { currentFees } from "@/lib/chain/fees";
import { makeAvailableNonce } from "@/lib/chain/nonces";
import { refuseRelayer, relayerAccount, relayerPositions, signerAt } from "@/lib/chain/relayer";
import { watchGas } from "@/lib/events/notifications/delivery/watch-gas";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { Owner, settled } from "@/test/accounts/owner";
import { secretOf } from "@/test/services/local-env";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withSettings } from "@/test/services/with-settings";
import { withWorker } from "@/test/services/with-worker";
import { registerRelayers } from "./register-relayers";
import { submitOperation } from "./submit-operation";

const CHAIN = 46630;
const GWEI = 1_000_000_000n;
let services: LocalServices;
let payer: Owner;
let recipient: Owner;
const standard = { fee: 0n, relayers: 0 };

beforeAll(async () => {
  services = await startLocalServices();
  standard.fee = env().maxFeePerGas;
  standard.relayers = env().relayers;
  await withWorker(async () => {
    payer = await Owner.funded(CHAIN, 1_000_000_000n);
    recipient = await Owner.create(CHAIN);
    await settled(await recipient.enroll());
  });
});
afterEach(() => {
  env().maxFeePerGas = standard.fee;
  env().relayers = standard.relayers;
});
afterAll(() => services?.stop());

const setBalance = (position: number, value: bigint) =>
  createTestClient({ mode: "anvil", transport: http(env().chains.test.rpcUrl) }).setBalance({
    address: relayerAccount(CHAIN, position).address,
    value,
  });

/** Returns the relayers that are chosen for this many accounts. Rolls everything back. */
async function chosen(count: number): Promise<Set<number>> {
  const positions = new Set<number>();
  const undo = new Error("undo");
  const choose = db().transaction(async (tx) => {
    for (let n = 1; n <= count; n += 1) {
      const account = `0x${n.toString(16).padStart(40, "0")}` as const;
      positions.add((await makeAvailableNonce(tx, CHAIN, [account])).position);
    }
    throw undo;
  });
  await expect(choose).rejects.toBe(undo);
  return positions;
}

const pay = async () =>
  createTransfer(await payer.key(), {
    to: `@${recipient.account.handle}`,
    amount: "1",
    asset: "USDG",
    confidential: true,
  });

test("a relayer that cannot pay for gas gets no new payment until it can, unless none can", async () => {
  expect(await chosen(64)).toEqual(new Set(relayerPositions()));
  await setBalance(0, 1n);
  await watchGas(CHAIN, new Date());
  const others = new Set(relayerPositions().slice(1));
  expect(await chosen(64)).toEqual(others);
  for (const position of others) await setBalance(position, 1n);
  await watchGas(CHAIN, new Date());
  expect(await chosen(64)).toEqual(new Set(relayerPositions()));
  for (const position of relayerPositions()) await setBalance(position, parseEther("10"));
  await watchGas(CHAIN, new Date());
  expect(await chosen(64)).toEqual(new Set(relayerPositions()));
});

test("RELAYERS says how many carry payments", async () => {
  env().relayers = 2;
  expect(await chosen(64)).toEqual(new Set([0, 1]));
});

test("no transaction offers more for gas than the service pays, and none is begun while gas costs more", async () => {
  env().maxFeePerGas = GWEI / 2n;
  expect((await currentFees(CHAIN)).maxFeePerGas).toBe(GWEI / 2n);
  env().maxFeePerGas = 0n;
  const refused = pay();
  await expect(refused).rejects.toMatchObject({ code: "unavailable", retryAfter: 60 });
  await expect(refused).rejects.toThrow("Nothing was sent");
  env().maxFeePerGas = standard.fee;
  expect((await pay()).outcome).toBe("paid");
});

test("nothing is signed that the chain's clock has outlived: a server whose clock is behind says so, and pays nothing", async () => {
  await currentFees(CHAIN);
  const { address } = relayerAccount(CHAIN, 0);
  const deadline = new Date(Date.now() - 2 * 3_600_000);
  const late = { chainId: CHAIN, kind: "gas", account: address, target: address, data: "0x", deadline } as const;
  const nonces = () => db().select({ nonce: relayers.nextNonce }).from(relayers).orderBy(relayers.address);
  const before = await nonces();
  const refusal = { code: "unavailable", message: expect.stringContaining("clock") };
  await expect(db().transaction((tx) => submitOperation(tx, late))).rejects.toMatchObject(refusal);
  expect(await nonces()).toEqual(before);
});

test("nothing is signed by a server whose clock is ahead of the database's: it could name a day that has not begun", async () => {
  await currentFees(CHAIN);
  const { address } = relayerAccount(CHAIN, 0);
  const nonces = () => db().select({ nonce: relayers.nextNonce }).from(relayers).orderBy(relayers.address);
  const before = await nonces();
  const submitAhead = (seconds: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_000 * seconds });
    const deadline = new Date(Date.now() + 3_600_000);
    const call = { chainId: CHAIN, kind: "gas", account: address, target: address, data: "0x", deadline } as const;
    const undo = new Error("undo");
    const submitted = db().transaction(async (tx) => {
      await submitOperation(tx, call);
      throw undo;
    });
    return submitted.catch((error: unknown) => (error === undo ? "signed" : error)).finally(() => vi.useRealTimers());
  };
  expect(await submitAhead(30)).toBe("signed");
  expect(await submitAhead(120)).toMatchObject({ code: "unavailable", message: expect.stringContaining("clock") });
  expect(await nonces()).toEqual(before);
});

describe("while RELAYER_SEED is exchanged", () => {
  const before = { RELAYER_SEED: process.env.RELAYER_SEED ?? secretOf("RELAYER_SEED") };
  const both = { RELAYER_SEED: secretOf("another seed"), RELAYER_SEED_PREVIOUS: before.RELAYER_SEED };
  const after = { RELAYER_SEED: both.RELAYER_SEED };
  const carrierOf = async (operationId: string) => {
    const [row] = await db()
      .select({ relayer: operations.relayer })
      .from(operations)
      .where(eq(operations.id, operationId));
    return row?.relayer;
  };
  const paid = async () => paidTransfer(await pay()).row.operationId;
  const addresses = () => relayerPositions().map((position) => relayerAccount(CHAIN, position).address.toLowerCase());

  test("processes with the old and the new seed pay side by side, and everything settles", async () => {
    await withSettings(both, async () => {
      await registerRelayers(CHAIN);
      for (const position of relayerPositions()) await setBalance(position, parseEther("10"));
    });
    // One account's payments build on each other, no matter which process handles the request.
    const ours: { id: string; by: "old" | "new" }[] = [];
    for (const [by, step] of [
      ["old", before],
      ["new", both],
      ["old", before],
      ["new", both],
    ] as const) {
      ours.push({ id: await withSettings(step, paid), by });
    }
    const [olds, news] = [
      await withSettings(before, async () => addresses()),
      await withSettings(both, async () => addresses()),
    ];
    for (const { id, by } of ours) expect(by === "old" ? olds : news).toContain(await carrierOf(id));
    await withSettings(both, () =>
      withWorker(async () => {
        const states = await settled(...ours.map(({ id }) => id));
        expect(states).toEqual(ours.map(() => "confirmed"));
      }),
    );
  });

  test("the old relayers take nothing new, finish what they carry, and then are not needed", async () => {
    const old = await withSettings(before, paid);
    await withSettings(both, async () => {
      const next = await paid();
      expect(addresses()).toContain(await carrierOf(next));
      await withWorker(async () => expect(await settled(old, next)).toEqual(["confirmed", "confirmed"]));
    });
    await withSettings(after, () => withWorker(async () => expect(await settled(await paid())).toEqual(["confirmed"])));
  });

  test("what an old relayer carries is signed by a process that has both seeds, and left alone by others", async () => {
    const [position, { address }] = [0, await withSettings(before, async () => relayerAccount(CHAIN, 0))];
    const found = (step: Record<string, string>) =>
      withSettings(step, async () => signerAt(CHAIN, position, address)?.address);
    expect(await found(before)).toBe(address);
    expect(await found(both)).toBe(address);
    expect(await found(after)).toBeUndefined();
    await expect(withSettings(both, async () => refuseRelayer(CHAIN, [address], "address"))).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});

test("a process that stops has first sent what it signed, and marked it", async () => {
  const paid = paidTransfer(await pay());
  await broadcastsDone();
  const { operationId } = paid.row;
  const sent = await db()
    .select({ at: outgoingTransactions.sentAt })
    .from(outgoingTransactions)
    .where(eq(outgoingTransactions.operationId, operationId));
  expect(sent).toEqual([{ at: expect.any(Date) }]);
});
