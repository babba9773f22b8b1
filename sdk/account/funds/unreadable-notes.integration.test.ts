import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAssetFacts } from "@/components/money/asset-facts";
import { funds } from "@/components/vault/methods/funds";
import type { Tools } from "@/components/vault/methods/method";
import { db } from "@/db/client";
import { notes, reservations } from "@/db/schema/ledger";
import { readLedger } from "@/lib/balances/read-ledger";
import { env } from "@/lib/base/env";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { noteCommitment } from "@/lib/ledger/crypto/commitments";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import { RECIPIENT_COPY_LENGTH } from "@/lib/ledger/encrypted/recipient-copy";
import { Owner } from "@/test/accounts/owner";
import { clientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import type { LedgerView } from "../../api/api-types";
import type { Asset } from "../../api/network-info";
import type { Context } from "../../context/context";
import { makeAvailable } from "../../payments/funding/make-available";
import { send } from "../../payments/send";
import { decryptBalance } from "../../payments/transfers/decrypt";
import { ownParty } from "../party";
import { decryptFunds } from "./funds";

const CHAIN = 46630;
/** More than a page. */
const UNREADABLE = 501;
let services: WorkingServices;
let payer: Owner;
let asset: Asset;

beforeAll(async () => {
  services = await startWorkingServices();
  payer = await Owner.funded(CHAIN, 100_000_000n);
  asset = await (await client(payer)).asset();
});
afterAll(() => services?.stop());

const client = (owner: Owner, meddle?: Meddle) => clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle });

/** Returns an enrolled account that strangers have sent many notes that it can't decrypt. */
async function flooded(count = UNREADABLE): Promise<Owner> {
  const owner = await Owner.funded(CHAIN, 1_000_000n);
  const commitment = (length: number) => toHex(randomBytes(length));
  const rows = Array.from({ length: count }, (_, n) => ({
    chainId: CHAIN,
    account: owner.address,
    asset: asset.address,
    note: `0x00${commitment(31).slice(2)}` as const,
    source: "transfer" as const,
    sender: payer.address,
    ciphertext: commitment(RECIPIENT_COPY_LENGTH),
    // Several have the same block, as a batch makes them.
    blockNumber: BigInt(Math.floor(n / 300)),
    logIndex: n % 300,
    txHash: commitment(32),
  }));
  await db().insert(notes).values(rows);
  return owner;
}

/** Counts the reads of the ledger, and lets a test change what they return. */
function counting(change: (view: LedgerView, after: string | null) => object = (view) => view) {
  const reads: string[] = [];
  const meddle: Meddle = async (request, honest) => {
    const { pathname, searchParams, search } = new URL(request.url);
    if (pathname !== "/api/ledger") return honest();
    reads.push(search);
    return Response.json(change(await (await honest()).json(), searchParams.get("after")));
  };
  return { reads, meddle };
}

const look = async (context: Context) => decryptFunds(context, await ownParty(context), asset);

test("a payment behind any number of unreadable notes is shown and can be made available", async () => {
  const many = 1_001;
  const owner = await flooded(many);
  const facts = async () => toAssetFacts(await readLedger(owner.session, { asset: "USDG" }), asset).state;
  const before = await facts();
  await send(await client(payer), { to: owner.address, amount: "7", clientSigned: true });
  // Otherwise an open dashboard keeps showing the balance before the payment.
  expect(await facts()).not.toBe(before);

  const { reads, meddle } = counting();
  const context = await client(owner, meddle);
  const first = await look(context);
  expect(first.notes.map(({ amount }) => amount)).toEqual([7_000_000n]);
  expect([first.unreadable, first.view.has_more, reads.length]).toEqual([many, false, 3]);
  // What was unreadable once is passed over.
  const again = await look(context);
  expect([again.notes, again.unreadable, again.view.has_more]).toEqual([first.notes, many, false]);
  expect(reads).toHaveLength(5);

  // With its own RPC a client reads the ledger's events, and the ledger has none of them.
  expect(await decryptBalance(context)).toMatchObject({ notes: ["7"], has_more: false, unreadable: 0 });
  const tools = { progress: () => {}, signal: new AbortController().signal } as unknown as Tools;
  const shown = await funds(context, { agents: true }, tools);
  expect(shown.assets).toContainEqual(expect.objectContaining({ asset: "USDG", notes: ["7"], more: false }));
  await expect(makeAvailable(context, { amount: "9" })).rejects.toMatchObject({ code: "insufficient_balance" });
  expect(await makeAvailable(context, { amount: "5" })).toMatchObject({ amount: "5", notes: 1 });
});

test("a note that a move to the available balance uses among unreadable ones is found again when the move to the available balance fails", async () => {
  const owner = await flooded();
  await send(await client(payer), { to: owner.address, amount: "7", clientSigned: true });
  const context = await client(owner);
  const [paid] = (await look(context)).notes;
  const note = commitmentToHex(noteCommitment(paid ?? { amount: 0n, salt: 0n }));
  await db().update(notes).set({ blockNumber: 0n, logIndex: 1_000 }).where(eq(notes.note, note));
  const reserved = { operationId: "op_1", chainId: CHAIN, account: owner.address, asset: asset.address };
  await db()
    .insert(reservations)
    .values({ ...reserved, deposited: 0n, notes: [note] });
  const other = await client(owner);
  expect((await look(other)).notes).toEqual([]);
  await db().delete(reservations).where(eq(reservations.operationId, "op_1"));
  expect((await look(other)).notes).toEqual([paid]);
});

test("a move to the available balance between two pages makes the client read again from the start", async () => {
  const owner = await flooded();
  let moved = false;
  const { reads, meddle } = counting((view, after) => {
    if (!after || moved) return view;
    moved = true;
    return { ...view, nonce: `${view.nonce}1` };
  });
  expect(await look(await client(owner, meddle))).toMatchObject({ unreadable: UNREADABLE, notes: [] });
  // The page in between is not taken, and the first one is not decrypted again.
  expect(reads.map((search) => search.includes("after"))).toEqual([false, true, false, true]);
});

test("a client stops at a service that knows no cursor, and at one whose pages never end", async () => {
  const owner = await flooded();
  const older = counting(({ next: _, ...view }) => view);
  expect(await look(await client(owner, older.meddle))).toMatchObject({ unreadable: 500, view: { has_more: true } });
  expect(older.reads).toHaveLength(1);

  const endless = counting((view) => ({ ...view, notes: [], has_more: true, next: "1.1" }));
  const context = await client(owner, endless.meddle);
  expect(await look(context)).toMatchObject({ notes: [], view: { has_more: true } });
  expect(endless.reads.length).toBeLessThan(200);
  // Making nothing available is no success.
  await expect(makeAvailable(context, { amount: "5" })).rejects.toMatchObject({ code: "insufficient_balance" });
});

test("a cursor that no page returned is refused, and each account's pages are its own", async () => {
  const owner = await flooded();
  const session = await (await client(owner)).session();
  for (const after of ["", "1", "1.", "-1.1", "1.1.1", "a.b", "9999999999999999999.1"]) {
    const refused = session.get("/api/ledger", { asset: "USDG", after });
    await expect(refused).rejects.toMatchObject({ code: "invalid_request", param: "after" });
  }
  const { next } = await session.get<LedgerView>("/api/ledger", { asset: "USDG" });
  const of = async (context: Context) =>
    (await context.session()).get<LedgerView>("/api/ledger", { asset: "USDG", after: next ?? "" });
  expect((await of(await client(owner))).notes).toHaveLength(UNREADABLE - 500);
  expect((await of(await client(payer))).notes).toEqual([]);
});
