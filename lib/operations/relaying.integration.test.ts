import { createTestClient, http, parseEther } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { currentFees } from "@/lib/chain/fees";
import { allocateNonce } from "@/lib/chain/nonces";
import { relayerAccount, relayerPositions } from "@/lib/chain/relayer";
import { env } from "@/lib/env";
import { watchGas } from "@/lib/notifications/delivery/watch-gas";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { Owner, settled } from "@/test/accounts/owner";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withWorker } from "@/test/services/with-worker";

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

/** Relayers that so many strangers get; nothing is kept of it. */
async function chosen(count: number): Promise<Set<number>> {
  const positions = new Set<number>();
  const undo = new Error("undo");
  const choose = db().transaction(async (tx) => {
    for (let n = 1; n <= count; n += 1) {
      const account = `0x${n.toString(16).padStart(40, "0")}` as const;
      positions.add((await allocateNonce(tx, CHAIN, [account])).position);
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
