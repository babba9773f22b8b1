import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionContext } from "@/lib/base/context/context";
import { summariesOfPage } from "@/lib/payments/page-statement";
import { asOwner } from "@/test/services/as-owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { anyOf } from "./any-of";
import { db, sql } from "./client";
import { transfers } from "./schema/transfers";

let services: SharedServices;

beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services?.stop());

/** A session of an account that has no transfers. */
const WITH_FEW: SessionContext = {
  actor: "session",
  sessionId: "test",
  network: "test",
  chainId: 46630,
  requestId: "test",
  clientAddress: null,
  account: {
    id: "acct_100",
    handle: "plan100",
    address: `0x${"100".padStart(40, "0")}`,
    type: "personal",
    rootId: "acct_100",
    rootAddress: `0x${"100".padStart(40, "0")}`,
    createdAt: new Date(0),
  },
};

/** Returns how often PostgreSQL plans a statement that is executed ten times: for the values at hand, and for all. */
async function plansOf(text: string, values: unknown[]) {
  return sql().begin(async (tx) => {
    for (let n = 0; n < 10; n++) await tx.unsafe(text, values as string[], { prepare: true });
    const [row] = await tx<{ custom: number; generic: number }[]>`
      select custom_plans::int as custom, generic_plans::int as generic
      from pg_prepared_statements where statement = ${text}`;
    return row;
  });
}

test("a page of an account with few transfers, and a list of one value, are planned once for all", async () => {
  // Ten thousand transfers of a hundred accounts: so this account's differ from the average.
  await asOwner(async (admin) => {
    await admin`
      insert into accounts (id, handle, address, type, created_at)
      select 'acct_' || n, 'plan' || n, decode(lpad(n::text, 40, '0'), 'hex'), 'personal', now()
      from generate_series(0, 100) n`;
    await admin`
      insert into transfers (id, chain_id, kind, status, payer_id, payer_root_id, recipient_id, recipient_root_id,
        recipient_address, to_given, asset, old_commitment, new_commitment, payer_ciphertext, operation_id, tx_hash, created_at,
        client_signed)
      select 'tr_' || n, 46630, 'transfer', 'confirmed', 'acct_' || n % 100, 'acct_' || n % 100, 'acct_' || n % 99,
        'acct_' || n % 99, '', '@other', '', '', '', '', 'op_' || n, '', now() - n * interval '1 second', false
      from generate_series(1, 10000) n`;
    await admin`analyze`;
  });
  const { text, values } = summariesOfPage(WITH_FEW, { limit: 20, offset: 0 });
  expect(await plansOf(text, values)).toEqual({ custom: 5, generic: 5 });
  const listed = db()
    .select({ id: transfers.id })
    .from(transfers)
    .where(anyOf(transfers.id, ["tr_1"]))
    .toSQL();
  expect(await plansOf(listed.sql, listed.params)).toEqual({ custom: 5, generic: 5 });
});
