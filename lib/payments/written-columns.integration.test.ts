import { desc, eq } from "drizzle-orm";
import postgres from "postgres";
import { type Address, decodeFunctionData, parseTransaction } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db, type Tx } from "@/db/client";
import { restrictApp, roleOf } from "@/db/roles";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { assetBySymbol } from "@/lib/base/assets";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { chainEnv } from "@/lib/chain/clients";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { copyIn } from "@/lib/ledger/encrypted/copy-words";
import { decryptPayerCopy, PAYER_COPY_LENGTH } from "@/lib/ledger/encrypted/payer-copy";
import { decryptRecipientCopy, RECIPIENT_COPY_LENGTH } from "@/lib/ledger/encrypted/recipient-copy";
import { Agent } from "@/test/accounts/agent";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { keepTables, tableNames, type Writing, writingsOf } from "@/test/attacks/written-columns";
import { startWorkingServices } from "@/test/services/working-services";
import { approve } from "./approve";
import { createTransfer, readPayment } from "./create-transfer";
import { findPayer } from "./find-payer";
import { paidTransfer } from "./paid-transfer";
import { readPayer } from "./read-payer";

// One test tries hundreds of payments, which takes long on a busy machine.
vi.setConfig({ testTimeout: 900_000 });

const CHAIN = 46630;
const UNITS = 1_234_567n;

/** Tables that payments and approvals read. Every column of them is tampered with in turn. They read no others. */
const READ = [
  "account_networks",
  "accounts",
  "agents",
  "api_keys",
  "audit_heads",
  "available_states",
  "available_commitments",
  "available_balances",
  "held_payments",
  "ledger_accounts",
  "notes",
  "operations",
  "outgoing_transactions",
  "relay_usage",
  "relayers",
  "spend_policies",
  "transfers",
  "webhooks",
];

/**
 * For these tables, the first attempt per table, not per column, goes all the way to a signature, because they name no
 * recipient.
 */
const TOGETHER = [
  "account_networks",
  "audit_heads",
  "available_balances",
  "available_states",
  "available_commitments",
  "notes",
  "operations",
  "outgoing_transactions",
  "relay_usage",
  "relayers",
  "spend_policies",
  "transfers",
  "webhooks",
];

let services: Awaited<ReturnType<typeof startWorkingServices>>;
let owner: Owner;
let agent: Agent;
let recipient: Owner;
let mallory: Owner;
let text: string;
let heldId: string;
/** The attacker has the role of web and worker with all UPDATE, INSERT and DELETE rights, and nothing else. */
let attacker: postgres.Sql;
let steward: postgres.Sql;

beforeAll(async () => {
  services = await startWorkingServices();
  attacker = postgres(process.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  steward = postgres(process.env.MIGRATION_DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  [owner, recipient, mallory] = await Promise.all([
    Owner.funded(CHAIN, 100_000_000n),
    Owner.create(CHAIN),
    Owner.funded(CHAIN, 5_000_000n),
  ]);
  const created = await Agent.create(owner, { hitlThreshold: 2_000_000n });
  agent = created.agent;
  await settled(await recipient.enroll(), created.operationId);
  ({ text } = await createApiKey(owner));
  await createApiKey(mallory);
  const funding = await createTransfer((await signedIn()).context, { ...ask("50"), to: `@${agent.account.handle}` });
  await settled(paidTransfer(funding).row.operationId);
  const held = await createTransfer((await signedIn()).context, { ...ask("3"), from: `@${agent.account.handle}` });
  if (held.outcome !== "held") throw new Error("this payment was to be held");
  heldId = held.held.id;
});

afterAll(async () => {
  await attacker?.end();
  await steward?.end();
  await services?.stop();
});

const signedIn = () => authenticateKey(`Bearer ${text}`, { requestId: "test", clientAddress: null }, "secret");
const ask = (amount: string) =>
  ({ to: `@${recipient.account.handle}`, amount, asset: "USDG", confidential: true, memo: "for you" }) as const;
const parties = () => [owner, agent, recipient, mallory];

class Enough extends Error {}

/**
 * The outcome of an attempt: refused; paid to this address and encrypted for the right recipients; otherwise a
 * description.
 */
type Outcome = { refused: unknown } | { paid: Address } | { wrong: string };

async function outcomeOf(
  attempt: (look: (tx: Tx) => Promise<void>) => Promise<unknown>,
  units: bigint,
): Promise<Outcome> {
  let seen: Outcome | undefined;
  try {
    await attempt(async (tx) => {
      seen = await judge(tx, units);
      throw new Enough(); // stop here, so that the next attempt starts from the same state
    });
  } catch (error) {
    return seen ?? { refused: error };
  }
  return { wrong: "it was not looked at" };
}

/** Reads the newest signed transaction like the chain would. */
async function judge(tx: Tx, units: bigint): Promise<Outcome> {
  const [signed] = await tx.select().from(outgoingTransactions).orderBy(desc(outgoingTransactions.id)).limit(1);
  const { to: target, data = "0x", value } = parseTransaction(signed?.raw ?? "0x");
  if (target?.toLowerCase() !== chainEnv(CHAIN).ledger.toLowerCase() || value)
    return { wrong: "it calls something else" };
  const call = decodeFunctionData({ abi: ledgerAbi, data });
  if (call.functionName !== "spend") return { wrong: `it is a ${call.functionName}` };
  const [d] = call.args;
  const [account, to] = [d.account.toLowerCase(), d.to.toLowerCase() as Address];
  if (account !== agent.address) return { wrong: "another account pays" };
  if (d.asset.toLowerCase() !== assetBySymbol(CHAIN).address.toLowerCase()) return { wrong: "another asset is paid" };
  const reader = parties().find(({ address }) => address === to);
  const common = { scope: owner.scope, asset: assetBySymbol(CHAIN).address };
  const copies = await Promise.all([
    decryptPayerCopy(
      owner.viewing.secret,
      { ...common, account: agent.address, commitment: d.newAvailable },
      fromHex(copyIn(d.payerCiphertext, PAYER_COPY_LENGTH)),
    ),
    reader &&
      decryptRecipientCopy(
        reader.viewing.secret,
        { ...common, account: to, commitment: d.note },
        fromHex(copyIn(d.recipientCiphertext, RECIPIENT_COPY_LENGTH)),
      ),
  ]);
  if (copies.some((copy) => copy?.amount !== units))
    return { wrong: "it is encrypted to a key that is not its reader's" };
  return { paid: to };
}

const payment = () =>
  outcomeOf(async (look) => {
    const { context } = await signedIn();
    await createTransfer(context, { ...ask("1.234567"), from: `@${agent.account.handle}` }, look);
  }, UNITS);

const approval = () => outcomeOf(async (look) => approve((await signedIn()).context, heldId, {}, look), 3_000_000n);

/**
 * Like a payment, but only up to the choice of encryption keys, which is all that rows could influence, without
 * proving.
 */
async function keysOfPayment(): Promise<Outcome> {
  try {
    const { context } = await signedIn();
    const payer = await findPayer(context, `@${agent.account.handle}`);
    const { receiver } = await readPayment(context, payer, ask("1.234567"));
    const says = await readPayer(CHAIN, payer);
    if (!says || !receiver.key) return { refused: "nobody to encrypt to" };
    const to = receiver.recipient.address;
    const reader = parties().find(({ address }) => address === to);
    const right = reader && equalBytes(receiver.key.viewingKey, reader.viewing.publicKey);
    return right && equalBytes(says.viewingKey, owner.viewing.publicKey) ? { paid: to } : { wrong: "another key" };
  } catch (error) {
    return { refused: error };
  }
}

/** The service is trusted for names (docs/protocol.md section 9): these columns say whose they are. */
const NAMES = ["accounts.handle", "accounts.address"];

test("no UPDATE or DELETE encrypts a payment the service signs to a key that is not its reader's on chain", () =>
  services.withoutWorker(async () => {
    const right = { paid: recipient.address };
    expect([await payment(), await approval(), await keysOfPayment()]).toEqual([right, right, right]);

    // Other tables are never read, so their content decides nothing.
    const others = tableNames().filter((name) => !READ.includes(name));
    const app = roleOf(process.env.DATABASE_URL ?? "");
    await steward.unsafe(`revoke select on ${others.join(", ")} from ${app}`);
    try {
      expect([await payment(), await approval()]).toEqual([right, right]);
    } finally {
      await restrictApp(steward, app);
    }

    const restore = await keepTables(steward, READ);
    const sides = {
      attacker: [mallory.account.id, mallory.address.slice(2)],
      victims: [recipient, owner, agent].map(({ account }) => account.id),
    };
    const tried: Record<string, number> = { paid: 0, refused: 0, misdirected: 0 };
    const found: string[] = [];
    const note = ({ table, column, how }: Omit<Writing, "statement">, what: string, outcome: Outcome) => {
      const place = `${table}.${column}`;
      if ("refused" in outcome) tried.refused = (tried.refused ?? 0) + 1;
      else if ("paid" in outcome && outcome.paid === recipient.address) tried.paid = (tried.paid ?? 0) + 1;
      // An approval pays the address that is encrypted in the held payment.
      else if ("paid" in outcome && what !== "approval" && NAMES.includes(place))
        tried.misdirected = (tried.misdirected ?? 0) + 1;
      else found.push(`${place}, ${how}: ${what} ${JSON.stringify(outcome)}`);
    };
    const write = (statement: string) =>
      attacker.unsafe(statement).then(
        ({ count, command }) => command === "DO" || count > 0,
        () => false, // a constraint refuses it
      );
    for (const table of READ) {
      const approvals = ["held_payments", "accounts", "agents"].includes(table);
      const firsts = new Set<string>();
      for (const writing of writingsOf(table, sides)) {
        if (!(await write(writing.statement))) continue;
        const keys = await keysOfPayment();
        if (!("wrong" in keys)) note(writing, "keys", keys);
        // The most promising change goes all the way to a signature, and so does every change that seems to work.
        const isFirst = !firsts.has(writing.column) && !TOGETHER.includes(table);
        firsts.add(writing.column);
        if ("wrong" in keys || (isFirst && "paid" in keys && table !== "held_payments")) {
          note(writing, "payment", await payment());
        }
        if (isFirst && approvals) note(writing, "approval", await approval());
        await restore(table);
      }
      if (TOGETHER.includes(table)) {
        for (const { statement } of writingsOf(table, sides)) await write(statement);
        note({ table, column: "all", how: "written" }, "payment", await payment());
        await restore(table);
      }
      await write(`delete from "${table}"`);
      note({ table, column: "all", how: "deleted" }, "payment", await payment());
      await restore(table);
    }
    expect(found).toEqual([]);
    expect(tried.paid).toBeGreaterThan(100);
    expect(tried.refused).toBeGreaterThan(20);
    expect([await payment(), await approval()]).toEqual([right, right]);
  }));

test("a held payment that was approved and paid is never paid again, whatever its row is made to say", async () => {
  const { context } = await signedIn();
  const before = (await recipient.openNotes()).length;
  const [row] = await attacker`select * from held_payments where id = ${heldId}`;
  await approve(context, heldId, {});
  const operation = async () => {
    const [newest] = await db()
      .select()
      .from(operations)
      .where(eq(operations.account, agent.address))
      .orderBy(desc(operations.createdAt))
      .limit(1);
    if (!newest) throw new Error("nothing was paid");
    return newest;
  };
  await settled((await operation()).id);
  expect(await recipient.openNotes()).toHaveLength(before + 1);

  await attacker`update held_payments set status = 'pending_approval', decided_at = null, transfer_id = null,
    encrypted = ${row?.encrypted}, expires_at = now() + interval '1 day' where id = ${heldId}`;
  const outcome = await approve((await signedIn()).context, heldId, {}).then(
    () => "taken",
    () => "refused",
  );
  if (outcome === "taken") {
    const { target, data } = await operation();
    expect(await wouldSucceed(CHAIN, target, data)).toBe(false);
  }
  expect(await recipient.openNotes()).toHaveLength(before + 1);
});
