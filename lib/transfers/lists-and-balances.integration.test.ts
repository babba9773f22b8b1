import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { assetBySymbol } from "@/lib/assets";
import { readBalances } from "@/lib/balances/read-balances";
import { finalBlock } from "@/lib/chain/index/cursor";
import { verifyIdentity } from "@/lib/kyc/verify-identity";
import { makeDecryptionProof } from "@/lib/ledger/decryption-proof";
import { processProver } from "@/lib/prover/process-prover";
import { Owner, settled } from "@/scripts/testing/owner";
import { startWorkingServices } from "@/scripts/testing/working-services";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./created-transfer";
import { listTransfers, pageOfIds } from "./list-transfers";

const CHAIN = 46630;
const FUNDS = 1_000_000_000n;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let payer: Owner;
let recipient: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  [payer, recipient] = await Promise.all([Owner.funded(CHAIN, FUNDS), Owner.create(CHAIN)]);
  await settled(await recipient.enroll());
  await Promise.all([payer, recipient].map(({ session }) => verifyIdentity(session, {})));
}, 180_000);

afterAll(() => services?.stop(), 30_000);

const to = () => `@${recipient.account.handle}`;
const plain = (amount: string) => ({ to: to(), amount, asset: "USDG" as const, confidential: true });

describe("balances", () => {
  test("without a proof say only what is above zero; a proof shows the amount; a stale one is refused", async () => {
    const key = await recipient.key();
    expect(await readBalances(key, {})).toEqual({ balances: [{ asset: "USDG", above_zero: true }] });
    const prover = await processProver();
    const opened = { notes: await recipient.openNotes(), budget: await recipient.openBudget() };
    const { number } = await finalBlock(CHAIN);
    const decryption_proof = await makeDecryptionProof(
      {
        scope: recipient.scope,
        account: recipient.address,
        block: number,
        issuedAt: BigInt(Math.floor(Date.now() / 1000)),
        assets: [{ asset: assetBySymbol(CHAIN).address, ...opened }],
      },
      (circuit, input) => prover.prove(circuit, input),
    );
    const total = opened.notes.reduce((sum, { amount }) => sum + amount, opened.budget.limit);
    const shown = { asset: "USDG", amount: String(Number(total) / 1_000_000) };
    expect(await readBalances(key, { decryption_proof })).toEqual({ balances: [shown], unopened_notes: 0 });
    await expect(readBalances(await payer.key(), { decryption_proof })).rejects.toMatchObject({
      code: "decryption_proof_invalid",
    });
    const { row } = paidTransfer(await createTransfer(key, { ...plain("1"), to: `@${payer.account.handle}` }));
    await settled(row.operationId);
    await expect(readBalances(key, { decryption_proof })).rejects.toMatchObject({ code: "decryption_proof_invalid" });
  });
});

describe("the list of transfers", () => {
  test("pages through both sides, newest first, each once", async () => {
    const key = await payer.key();
    const all = await listTransfers(key, { limit: 100, offset: 0 });
    const pages = [];
    for (let offset = 0; ; offset += 7) {
      const page = await listTransfers(key, { limit: 7, offset });
      pages.push(...page.transfers);
      if (!page.hasMore) break;
    }
    const ids = pages.map(({ row }) => row.id);
    expect(ids).toEqual(all.transfers.map(({ row }) => row.id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...ids].sort().reverse());
    expect(new Set(pages.map(({ direction }) => direction))).toEqual(new Set(["sent", "received"]));
    const [newest] = all.transfers;
    if (!newest) throw new Error("no transfers");
    const until = await listTransfers(key, { limit: 100, offset: 0, to: newest.row.createdAt });
    expect(until.transfers.map(({ row }) => row.id)).not.toContain(newest.row.id);
    const failed = await listTransfers(key, { limit: 100, offset: 0, status: "failed" });
    expect(failed.transfers).toEqual([]);
  });

  test("reads indexes alone, whatever the filter", async () => {
    // Very many transfers of others, rolled back in the end.
    class Done extends Error {}
    const work = db().transaction(async (tx) => {
      await tx.execute(sql`
        insert into transfers (id, chain_id, kind, status, payer_id, payer_root_id, recipient_id, recipient_root_id,
          recipient_address, to_given, asset, old_word, new_word, payer_ciphertext, operation_id, tx_hash, created_at, prepared)
        select 'tr_' || n, ${CHAIN}, 'transfer', 'confirmed', ${recipient.account.id}, 'acct_' || (n % 997), null,
          'acct_' || (n % 991), '\\x00', '@x', '\\x00', '\\x00', '\\x00', '\\x00', 'op_' || n, '\\x00',
          now() - n * interval '1 second', false
        from generate_series(1, 20000) n`);
      await tx.execute(sql`analyze transfers`);
      const from = new Date(Date.now() - 86_400_000);
      for (const filter of [{}, { status: "pending" as const }, { from }, { from, status: "confirmed" as const }]) {
        const query = pageOfIds(payer.session, { limit: 20, offset: 0, ...filter }).getSQL();
        const plan = await tx.execute<{ "QUERY PLAN": string }>(sql`explain ${query}`);
        const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
        expect(text).toMatch(/Index/);
        expect(text).not.toMatch(/Seq Scan/);
      }
      throw new Done();
    });
    await expect(work).rejects.toBeInstanceOf(Done);
  });
});
