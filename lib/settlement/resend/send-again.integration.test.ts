import { eq, type SQL, sql } from "drizzle-orm";
import { createPublicClient, type Hex, http, type PublicClient } from "viem";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import { env } from "@/lib/base/env";
import { relayerAccount, relayerPositions } from "@/lib/chain/relayer";
import { settled } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { withWorker } from "@/test/services/with-worker";
import { attempts, makeOld, recordUnsent } from "@/test/settlement/relayed";
import { checkOpen, openTransactions } from "./check-open";
import { reprice } from "./reprice";
import { dueTransactions, sendAgain } from "./send-again";

const CHAIN = 46630;
/** Less than what is offered for gas at the least (lib/chain/fees.ts). */
const TOO_LITTLE = 500_000_000n;
let services: LocalServices;
let node: LyingRpc;
let truth: PublicClient;
let first: number;
let last: number;
/** What the node was sent. */
let sent: Hex[];

beforeAll(async () => {
  services = await startLocalServices(async ({ RPC_URL_46630 = "" }) => {
    node = await startLyingRpc(RPC_URL_46630);
    truth = createPublicClient({ transport: http(RPC_URL_46630) });
    return { RPC_URL_46630: node.url };
  });
  const addressOf = (position: number) => relayerAccount(CHAIN, position).address.toLowerCase();
  [first = 0, last = 0] = [...relayerPositions()].sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
  // By then they have gas.
  await withWorker(async () => {
    for (const position of [first, last]) await settled((await recordUnsent(CHAIN, position)).id);
  });
});
afterEach(async () => {
  node.refuse();
  await removeCopies();
  await withWorker(async () => {
    for (const position of [first, last]) await settled((await recordUnsent(CHAIN, position)).id);
  });
});
afterAll(async () => {
  await services?.stop();
  await node?.stop();
});

/** From now on the node refuses some transactions. */
function refuse(refused: (raw: Hex) => boolean | undefined): void {
  sent = [];
  node.refuse(async ({ method, params }) => {
    if (method !== "eth_sendRawTransaction") return undefined;
    const raw = params[0] as Hex;
    sent.push(raw);
    return refused(raw) ? "replacement transaction underpriced" : undefined;
  });
}

/** Records a transaction that was never sent and offers too little, and a second version that could not be sent. */
async function repriced(position: number): Promise<{ id: string; older: Hex; newer: Hex }> {
  const standard = env().maxFeePerGas;
  env().maxFeePerGas = TOO_LITTLE;
  const { id } = await recordUnsent(CHAIN, position).finally(() => {
    env().maxFeePerGas = standard;
  });
  await makeOld(id);
  refuse(() => true);
  await reprice(CHAIN);
  await makeOld(id);
  const [older, newer] = await attempts(id);
  if (!older || !newer) throw new Error("its fee was raised");
  expect(newer.nonce).toBe(older.nonce);
  return { id, older: older.raw, newer: newer.raw };
}

/** Records a transaction that was not sent although its time has come. */
async function unsent(position: number) {
  const submitted = await recordUnsent(CHAIN, position);
  await makeOld(submitted.id);
  return submitted;
}

test("a raised fee that could not be sent at once is sent, however often the chain refuses the version before it", async () => {
  const { id, older, newer } = await repriced(first);
  refuse((raw) => raw === older);
  await sendAgain(CHAIN);
  expect(sent).toEqual([newer]);
  expect(await withWorker(() => settled(id))).toEqual(["confirmed"]);
});

test("a version that the chain refuses because it has a better one holds up no later nonce", async () => {
  const { id, older } = await repriced(first);
  const later = await unsent(first);
  refuse((raw) => raw === older);
  await sendAgain(CHAIN);
  // The newer version is not due again so soon.
  await makeOld(later.id);
  await db()
    .update(outgoingTransactions)
    .set({ status: "signed" })
    .where(eq(outgoingTransactions.operationId, later.id));
  refuse((raw) => raw === older);
  await sendAgain(CHAIN);
  expect(sent).toEqual([later.raw]);
  expect(await withWorker(() => settled(id, later.id))).toEqual(["confirmed", "confirmed"]);
});

test("a nonce is held up only if the chain takes none of its versions", async () => {
  const { id, older, newer } = await repriced(first);
  const later = await unsent(first);
  refuse((raw) => raw === older || raw === newer);
  await sendAgain(CHAIN);
  expect(sent).toEqual([newer, older]);
  refuse((raw) => raw === newer);
  await sendAgain(CHAIN);
  expect(sent).toEqual([newer, older, later.raw]);
  expect(await withWorker(() => settled(id, later.id))).toEqual(["confirmed", "confirmed"]);
});

/** Copies the transaction of an operation, each with its own hash and `step` nonces after the one before. */
const copy = (id: string, count: number, step: number, status: SQL = sql`status`) =>
  db().execute(sql`
    insert into outgoing_transactions (operation_id, chain_id, relayer, nonce, hash, raw, status, created_at, sent_at)
    select operation_id, chain_id, relayer, nonce + n * ${step}::int, sha256((${id} || ${status} || n)::bytea), raw,
      ${status}, created_at, sent_at
    from (select * from outgoing_transactions where operation_id = ${id} order by id limit 1) t,
      generate_series(1, ${count}::int) n`);

/** Removes the copies again. */
const removeCopies = () =>
  asOwner(
    (owner) => owner`delete from outgoing_transactions
      where id not in (select min(id) from outgoing_transactions group by raw)`,
  );

test("however many transactions of a relayer the chain refuses, those of the others are sent", async () => {
  const { id, raw } = await unsent(first);
  await copy(id, 500, 1);
  const other = await unsent(last);
  refuse((one) => one === raw);
  await sendAgain(CHAIN);
  expect(sent).toEqual([raw, other.raw]);
});

test("however many transactions of a relayer are open, what became of the others' is found", async () => {
  const { id } = await unsent(first);
  const [waiting] = await attempts(id);
  await copy(id, 500, 0);
  let mined: string;
  let nonce: number;
  do {
    const other = await unsent(last);
    const hash = await truth.request({ method: "eth_sendRawTransaction", params: [other.raw] });
    await truth.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    mined = other.id;
    nonce = (await attempts(mined))[0]?.nonce ?? Number.NaN;
  } while (nonce <= (waiting?.nonce ?? 0));
  await checkOpen(CHAIN);
  expect(await attempts(mined)).toMatchObject([{ status: "mined" }]);
});

test("the search for what is open reads few blocks, however much is open or was", async () => {
  const { id } = await unsent(first);
  await copy(id, 20_000, 1);
  await copy(id, 20_000, 1, sql`'replaced'`);
  await asOwner((owner) => owner`vacuum analyze outgoing_transactions`);
  interface Plan {
    "Shared Hit Blocks": number;
    "Shared Read Blocks": number;
  }
  for (const statement of [dueTransactions(CHAIN), openTransactions(CHAIN)]) {
    expect(await statement).toHaveLength(100);
    const [explained] = await db().execute<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      sql`explain (analyze, buffers, format json) ${statement.getSQL()}`,
    );
    const plan = explained?.["QUERY PLAN"][0].Plan;
    expect((plan?.["Shared Hit Blocks"] ?? 1e9) + (plan?.["Shared Read Blocks"] ?? 1e9)).toBeLessThan(1_000);
  }
});
