import { count, eq } from "drizzle-orm";
import { concat, createPublicClient, createTestClient, type Hex, http, numberToHex, pad, toEventSelector } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { chainCursors, ledgerPayments, notes } from "@/db/schema/ledger";
import { env } from "@/lib/base/env";
import { LEDGER_EVENTS } from "@/lib/ledger/ledger-events";
import { indexNext } from "@/lib/settlement/index-next";
import { chainClient } from "@/sdk/chain/chain-client";
import { moneyEvents } from "@/sdk/chain/ledger-events";
import { rpcTransport } from "@/sdk/chain/rpc-transport";
import { type LocalServices, startLocalServices } from "../services/local-services";
import { type LyingRpc, startLyingRpc } from "../services/lying-rpc";

const CHAIN = 46630;
const PAYMENTS = 20_000;
const PER_TRANSACTION = 200;
const PAYER = `0x${"a1".repeat(20)}` as const;
const RECIPIENT = `0x${"b2".repeat(20)}` as const;
const SENDER = `0x${"c3".repeat(20)}` as const;

/**
 * Code that logs each record of its input: three topics, then as many bytes of data as the first commitment says. It
 * stands at the ledger's address for a moment, because 20,000 real payments would take hours to prove.
 */
const LOGS_ITS_INPUT = "0x60205b368110156029575f3580826060015f37816040013582602001358335835fa3016060016002565b00";
const TRANSFERRED = toEventSelector(LEDGER_EVENTS.find(({ name }) => name === "Transferred") as never);

let services: LocalServices;
let node: LyingRpc;
let url: string;

/** The record of a payment: its topics, and the commitments of its event, with a note of its own. */
function paymentOf(n: number): Hex {
  const commitment = (value: bigint) => numberToHex(value, { size: 32 });
  const ciphertext = concat([`0x${"11".repeat(32)}`, commitment(0n), commitment(0n), commitment(0n)]);
  const commitments = [
    pad(env().chains.test.usdg as Hex),
    commitment(BigInt(n) + 1n),
    commitment(BigInt(n) + 2n),
    commitment(BigInt(n) + 10n ** 9n),
  ];
  return concat([TRANSFERRED, pad(PAYER), pad(RECIPIENT), ...commitments, ciphertext, ciphertext]);
}

beforeAll(async () => {
  services = await startLocalServices(async ({ RPC_URL_46630 = "" }) => {
    url = RPC_URL_46630;
    node = await startLyingRpc(url);
    return { RPC_URL_46630: node.url };
  });
  await catchUp();
  const client = createPublicClient({ transport: http(url) });
  const anvil = createTestClient({ mode: "anvil", transport: http(url) });
  const { ledger } = env().chains.test;
  const code = (await client.getCode({ address: ledger })) as Hex;
  await anvil.setCode({ address: ledger, bytecode: LOGS_ITS_INPUT });
  await anvil.setBalance({ address: SENDER, value: 10n ** 20n });
  await anvil.impersonateAccount({ address: SENDER });
  for (let from = 0; from < PAYMENTS; from += PER_TRANSACTION) {
    const records = Array.from({ length: PER_TRANSACTION }, (_, n) => paymentOf(from + n));
    const data = concat([numberToHex(12 * 32, { size: 32 }), ...records]);
    const call = { from: SENDER, to: ledger, data, gas: numberToHex(20_000_000n) };
    const hash = (await client.request({ method: "eth_sendTransaction" as never, params: [call] as never })) as Hex;
    expect((await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })).status).toBe("success");
  }
  await anvil.setCode({ address: ledger, bytecode: code });
});

afterEach(() => node.limit());

afterAll(async () => {
  await services?.stop();
  await node?.stop();
});

async function catchUp(): Promise<void> {
  const isWhole = async () =>
    (await db().select().from(chainCursors).where(eq(chainCursors.chainId, CHAIN)))[0]?.whole === true;
  while ((await indexNext(CHAIN)) !== "current" || !(await isWhole()));
}

const counted = async (table: typeof notes | typeof ledgerPayments) =>
  (await db().select({ rows: count() }).from(table))[0]?.rows;

test("the index catches up with 20,000 payments, more than 10 MiB of logs in fewer blocks than it reads at once", async () => {
  const all = createPublicClient({ transport: http(url, { retryCount: 0 }) }).request({
    method: "eth_getLogs",
    params: [{ address: env().chains.test.ledger, fromBlock: "0x0", toBlock: "latest" }],
  });
  await expect(all).rejects.toThrow("exceeded the size limit");
  await catchUp();
  expect([await counted(notes), await counted(ledgerPayments)]).toEqual([PAYMENTS, PAYMENTS]);
});

test.each([
  ["10 blocks", { blocks: 10n }],
  ["1 MiB", { bytes: 2 ** 20 }],
])(
  "a node that allows %s at once is enough to index them again, and for a client that reads them",
  async (_, limit) => {
    node.limit(limit);
    await db().update(chainCursors).set({ whole: false }).where(eq(chainCursors.chainId, CHAIN));
    await createTestClient({ mode: "anvil", transport: http(url) }).mine({ blocks: 1 });
    await catchUp();
    expect([await counted(notes), await counted(ledgerPayments)]).toEqual([PAYMENTS, PAYMENTS]);
    const client = chainClient(rpcTransport(node.url));
    const events = await moneyEvents(client, env().chains.test.ledger, RECIPIENT, 0n, await client.getBlockNumber());
    expect(events).toHaveLength(PAYMENTS);
  },
);
