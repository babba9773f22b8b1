import { desc, eq } from "drizzle-orm";
import postgres from "postgres";
import { decodeFunctionData, type Hex, parseTransaction } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { setLimits } from "@/lib/agents/set-limits";
import { pauseAgent } from "@/lib/agents/set-status";
import { updatePolicy } from "@/lib/agents/update-policy";
import type { KeyContext } from "@/lib/base/context/context";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { Agent, GENEROUS } from "@/test/accounts/agent";
import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { Owner, settled } from "@/test/accounts/owner";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { keepTables, type Writing, writingsOf } from "@/test/attacks/written-columns";
import { startWorkingServices } from "@/test/services/working-services";
import { createTransfer } from "./create-transfer";
import { paidTransfer } from "./paid-transfer";

// One test tries hundreds of payments, which takes long on a busy machine.
vi.setConfig({ testTimeout: 900_000 });
beforeEach(() => awayFromMidnight());

const CHAIN = 46630;

/** Tables that determine how much may be paid, to whom and when. Every column of them is tampered with in turn. */
const READ = ["spend_policies", "agents", "ledger_accounts", "accounts", "operations"];

let services: Awaited<ReturnType<typeof startWorkingServices>>;
let owner: Owner;
let bob: Owner;
let mallory: Owner;
let agent: Agent;
let resting: Agent;
/** An account whose own keys have limits. */
let limited: Owner;
let malloryAgent: Agent;
let key: KeyContext;
let restingKey: KeyContext;
let limitedKey: KeyContext;
/** The attacker has the role of web and worker with all UPDATE, INSERT and DELETE rights, and nothing else. */
let attacker: postgres.Sql;
let steward: postgres.Sql;

/** A strict policy; two of the day's three USDG are already spent. */
const strict = (): Partial<SpendPolicy> => ({
  perTransactionLimit: 2_000_000n,
  dailyLimit: 3_000_000n,
  hitlThreshold: 500_000n,
  allowedRecipients: [`@${bob.account.handle}`],
});

beforeAll(async () => {
  process.env.LOG_LEVEL ??= "silent"; // each refusal is logged
  services = await startWorkingServices();
  attacker = postgres(process.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  steward = postgres(process.env.MIGRATION_DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  [owner, limited, bob, mallory] = await Promise.all([
    Owner.funded(CHAIN, 100_000_000n),
    Owner.funded(CHAIN, 100_000_000n),
    Owner.create(CHAIN),
    Owner.create(CHAIN),
  ]);
  await settled(await bob.enroll(), await mallory.enroll());
  const created = [await Agent.create(owner), await Agent.create(owner), await Agent.create(mallory)] as const;
  await settled(...created.map(({ operationId }) => operationId));
  [agent, resting, malloryAgent] = [created[0].agent, created[1].agent, created[2].agent];
  [key, restingKey, limitedKey] = [await agent.key(), await resting.key(), await limited.key()];
  const ownerKey = await owner.key();
  for (const one of [agent, resting]) await pay(ownerKey, `@${one.account.handle}`, "50");
  await updatePolicy(ownerKey, agent.account.id, { ...strict(), hitlThreshold: 2_000_000n });
  await pay(key, `@${bob.account.handle}`, "2");
  await updatePolicy(ownerKey, agent.account.id, { hitlThreshold: 500_000n });
  await pauseAgent(ownerKey, resting.account.id);
  const policy = { ...GENEROUS, ...strict() };
  await setLimits(
    limited.session,
    policy,
    await signPolicyAs(limited, limited.address, { policy, paused: false, version: 1n }),
  );
  // All of it is on the ledger.
  await pay(key, `@${bob.account.handle}`, "0.1");
  await pay(limitedKey, `@${bob.account.handle}`, "0.1");
  await settledAll();
});

afterAll(async () => {
  await attacker?.end();
  await steward?.end();
  await services?.stop();
});

async function pay(by: KeyContext, to: string, amount: string): Promise<void> {
  const { row } = paidTransfer(await createTransfer(by, { to, amount, asset: "USDG", confidential: true }));
  expect(await settled(row.operationId)).toEqual(["confirmed"]);
}

/** Waits until nothing is pending. */
async function settledAll(): Promise<void> {
  const rows = await db().select({ id: operations.id }).from(operations).where(eq(operations.status, "pending"));
  await settled(...rows.map(({ id }) => id));
}

/** Payments that the policy forbids, and one that it allows. */
const attempts = () => [
  { what: "over the limit of one payment", by: key, to: bob.account.handle, amount: "2.000001" },
  { what: "over what is left of the day", by: key, to: bob.account.handle, amount: "1" },
  { what: "over the threshold", by: key, to: bob.account.handle, amount: "0.6" },
  { what: "to someone else", by: key, to: mallory.account.handle, amount: "0.2" },
  { what: "by an agent that is paused", by: restingKey, to: bob.account.handle, amount: "0.3" },
  { what: "over an account's own limits", by: limitedKey, to: bob.account.handle, amount: "2.1" },
  { what: "of an account to someone else", by: limitedKey, to: mallory.account.handle, amount: "0.2" },
];

class Enough extends Error {}

/** Reports whether the service signs a payment that the ledger would accept. Rolls everything back. */
async function passes({ by, to, amount }: ReturnType<typeof attempts>[number]): Promise<boolean> {
  let signed: Awaited<ReturnType<typeof newestCall>> | undefined;
  try {
    await createTransfer(by, { to: `@${to}`, amount, asset: "USDG", confidential: true }, async (tx, created) => {
      if (created.outcome === "paid") signed = await newestCall(tx);
      throw new Enough();
    });
  } catch {
    // Refused, or enough was seen.
  }
  if (!signed?.to || !signed.data) return false;
  // The service resolves names. If it was tricked into taking bob's address for mallory's, it still pays someone the
  // policy lists.
  if (to === mallory.account.handle && payeeOf(signed.data) === bob.address) return false;
  return wouldSucceed(CHAIN, signed.to, signed.data);
}

function payeeOf(data: Hex): string | undefined {
  const [call] = decodeFunctionData({ abi: ledgerAbi, data }).args ?? [];
  return typeof call === "object" && "to" in call ? String(call.to).toLowerCase() : undefined;
}

async function newestCall(at: Pick<ReturnType<typeof db>, "select">) {
  const [row] = await at.select().from(outgoingTransactions).orderBy(desc(outgoingTransactions.id)).limit(1);
  return parseTransaction(row?.raw ?? "0x");
}

/** Values that would allow more, for columns where a nearby value does not. */
const LOOSER: Record<string, string> = {
  daily_limit: "1000000000000000",
  per_transaction_limit: "1000000000000000",
  hitl_threshold: "1000000000000000",
  allowed_recipients: `'["*"]'::jsonb`,
  any_recipient: "true",
  resolved: "(select jsonb_agg('0x' || encode(address, 'hex')) from accounts)",
  limits: `'{"ETH": {"daily": "1", "per_transaction": "1", "hitl_threshold": "1"}}'::jsonb`,
  active_hours: "'00:00-24:00'",
  time_zone: "'Pacific/Kiritimati'",
};

const looserOf = (table: string): Writing[] =>
  table === "spend_policies"
    ? Object.entries(LOOSER).map(([column, value]) => {
        const statement = `update spend_policies set ${column} = ${value}`;
        return { table, column, how: "looser", statement };
      })
    : [];

test("whichever column a writer of the database changes, no payment gets past a policy on the ledger", () =>
  services.withoutWorker(async () => {
    const restore = await keepTables(steward, READ);
    const sides = {
      attacker: [mallory.account.id, mallory.address.slice(2), malloryAgent.account.id],
      victims: [agent, resting, limited, bob].map(({ account }) => account.id),
    };
    for (const attempt of attempts()) expect(await passes(attempt), attempt.what).toBe(false);
    const allowed = { what: "", by: key, to: bob.account.handle, amount: "0.3" };
    expect(await passes(allowed)).toBe(true);

    const found: string[] = [];
    let written = 0;
    const write = (statement: string) =>
      attacker.unsafe(statement).then(
        ({ count, command }) => command === "DO" || count > 0,
        () => false, // a constraint refuses it
      );
    const look = async ({ table, column, how }: Omit<Writing, "statement">) => {
      written += 1;
      for (const attempt of attempts()) {
        if (await passes(attempt)) found.push(`${table}.${column}, ${how}: ${attempt.what}`);
      }
    };
    for (const table of READ) {
      for (const writing of [...looserOf(table), ...writingsOf(table, sides)]) {
        if (await write(writing.statement)) await look(writing);
        await restore(table);
      }
      await write(`delete from "${table}"`);
      await look({ table, column: "all", how: "deleted" });
      await restore(table);
    }
    // All changes at once, then also with the earlier status: what was signed in the past must not be valid now.
    for (const { statement } of looserOf("spend_policies")) await write(statement);
    await look({ table: "spend_policies", column: "all", how: "looser" });
    await write("update agents set status = 'active'");
    await look({ table: "spend_policies and agents", column: "all", how: "looser" });
    await Promise.all(READ.map(restore));
    expect(found).toEqual([]);
    expect(written).toBeGreaterThan(100);
    expect(await passes(allowed)).toBe(true);
  }));
