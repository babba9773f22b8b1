import { sql } from "drizzle-orm";
import { numberToHex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { availableCommitments, availableStates } from "@/db/schema/ledger";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { ASSET, CHAIN } from "@/test/settlement/final-payments";
import { failOrphanedStates } from "./fail-orphaned-states";
import { recordWords } from "./settle-available-balances";

/** With four parameters each, more than PostgreSQL takes in one statement. */
const MANY = 16_384;
const commitment = (of: number) => numberToHex(of, { size: 32 });
let services: SharedServices;

beforeAll(async () => {
  services = await startSharedServices();
});

beforeEach(() => db().delete(availableCommitments));

afterAll(() => services?.stop());

const record = (first: number) =>
  db().transaction((tx) =>
    recordWords(
      tx,
      CHAIN,
      Array.from({ length: MANY }, (_, at) => ({
        account: numberToHex(at + 1, { size: 20 }),
        asset: ASSET,
        oldCommitment: commitment(0),
        newCommitment: commitment(first + at),
        txHash: commitment(1),
      })),
    ),
  );

test("any number of available balances takes the commitments of one range of blocks, and later ones replace them", async () => {
  for (const first of [1, 1_000_000]) {
    await record(first);
    const stored = await db()
      .select({ commitment: availableCommitments.commitment })
      .from(availableCommitments)
      .orderBy(availableCommitments.account);
    expect(stored).toEqual(Array.from({ length: MANY }, (_, at) => ({ commitment: commitment(first + at) })));
  }
});

test("the states of any number of available balances are compared with the commitments of a rebuilt index", async () => {
  await record(1);
  await db().execute(sql`
    insert into available_states (chain_id, account, asset, old_commitment, commitment, encrypted, flag, secret_version, status, created_at)
    select chain_id, account, asset, decode(repeat('00', 32), 'hex'), commitment, '', '', 1, 'pending', now()
    from available_commitments`);
  await db().transaction((tx) => failOrphanedStates(tx, CHAIN));
  const statuses = await db().selectDistinct({ status: availableStates.status }).from(availableStates);
  expect(statuses).toEqual([{ status: "final" }]);
});
