import { sql } from "drizzle-orm";
import { numberToHex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { availableStates, availableWords } from "@/db/schema/ledger";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { ASSET, CHAIN } from "@/test/settlement/final-payments";
import { failOrphanedStates } from "./fail-orphaned-states";
import { recordWords } from "./settle-available-balances";

/** With four parameters each, more than PostgreSQL takes in one statement. */
const MANY = 16_384;
const word = (of: number) => numberToHex(of, { size: 32 });
let services: SharedServices;

beforeAll(async () => {
  services = await startSharedServices();
});

beforeEach(() => db().delete(availableWords));

afterAll(() => services?.stop());

const record = (first: number) =>
  db().transaction((tx) =>
    recordWords(
      tx,
      CHAIN,
      Array.from({ length: MANY }, (_, at) => ({
        account: numberToHex(at + 1, { size: 20 }),
        asset: ASSET,
        oldWord: word(0),
        newWord: word(first + at),
        txHash: word(1),
      })),
    ),
  );

test("any number of available balances takes the words of one range of blocks, and later ones replace them", async () => {
  for (const first of [1, 1_000_000]) {
    await record(first);
    const stored = await db()
      .select({ word: availableWords.word })
      .from(availableWords)
      .orderBy(availableWords.account);
    expect(stored).toEqual(Array.from({ length: MANY }, (_, at) => ({ word: word(first + at) })));
  }
});

test("the states of any number of available balances are compared with the words of a rebuilt index", async () => {
  await record(1);
  await db().execute(sql`
    insert into available_states (chain_id, account, asset, old_word, word, encrypted, flag, secret_version, status, created_at)
    select chain_id, account, asset, decode(repeat('00', 32), 'hex'), word, '', '', 1, 'pending', now()
    from available_words`);
  await db().transaction((tx) => failOrphanedStates(tx, CHAIN));
  const statuses = await db().selectDistinct({ status: availableStates.status }).from(availableStates);
  expect(statuses).toEqual([{ status: "final" }]);
});
