import { eq, inArray } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import { agents, heldPayments } from "@/db/schema/agents";
import { auditLog } from "@/db/schema/audit";
import { operations } from "@/db/schema/chain";
import { apiKeys } from "@/db/schema/keys";
import { budgetStates } from "@/db/schema/ledger";
import { openAgentWallet, sealAgentWallet } from "@/lib/ledger/agent-wallet";
import { openBudgetState, sealBudgetState } from "@/lib/ledger/budget-state";
import { fromHex, toHex } from "@/lib/ledger/bytes";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { hexToWord } from "@/lib/ledger/field";
import { openHeld, sealHeld } from "@/lib/ledger/held";
import { deriveAgentSecret, deriveBudgetSecret, deriveHeldKey, deriveSpender } from "@/lib/ledger/keys";
import { keySigner } from "@/lib/ledger/sign";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { Agent } from "@/scripts/testing/agent";
import { seconds } from "@/scripts/testing/budget-holder";
import { Owner, settled } from "@/scripts/testing/owner";
import { startWorkingServices, type WorkingServices } from "@/scripts/testing/working-services";
import { getSealed } from "./get-sealed";
import { rotateSecret } from "./rotate-secret";
import type { RotateInput } from "./schema";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let agent: Agent;

beforeAll(async () => {
  services = await startWorkingServices();
}, 120_000);
afterAll(() => services?.stop(), 30_000);

/** An account with 9 USDG and an agent with 1, a held payment of 0.5, and a key of each. */
beforeEach(async () => {
  owner = await Owner.funded(CHAIN, 10_000_000n);
  const made = await Agent.create(owner, { hitlThreshold: 0n });
  agent = made.agent;
  const [ownerKey, agentKey] = [await owner.key(), await agent.key()];
  await settled(made.operationId);
  const usual = { asset: "USDG", confidential: true } as const;
  await createTransfer(ownerKey, { ...usual, to: `@${agent.account.handle}`, amount: "1" });
  const asked = { ...usual, to: `@${owner.account.handle}`, amount: "0.5" };
  expect(await createTransfer(agentKey, asked)).toMatchObject({ outcome: "held" });
  await settled(...(await underWay()));
}, 60_000);

async function underWay(): Promise<string[]> {
  const rows = await db()
    .select({ id: operations.id })
    .from(operations)
    .where(inArray(operations.account, [owner.address, agent.address]));
  return rows.map(({ id }) => id);
}

/** What the owner's client hands in: all that is sealed, under the second version of the secret. */
async function rotation(walletKey = owner.walletKey): Promise<RotateInput> {
  const { scope, secret: old } = owner;
  const next = deriveBudgetSecret(owner.root, scope, 2);
  const under = (secret: Uint8Array, whose: Address) =>
    whose === owner.address ? secret : deriveAgentSecret(secret, whose, scope);
  const state = await getSealed(owner.session);
  const spender = lower(deriveSpender(next, scope).address);
  const [spenderUntil, deadline] = [seconds(86_400), seconds(3_600)];
  const nonce = 1n; // the allocation of `funded` has used the first
  const message = { account: owner.address, spender, spenderUntil, nonce, deadline };
  return {
    secret_version: 2,
    spender,
    spender_until: spenderUntil.toString(),
    deadline: deadline.toString(),
    signature: await keySigner(walletKey)(signRequestOf(scope, "SetSpender", message)),
    budgets: state.budgets.map(({ account, asset, word, sealed }) => {
      const place = { scope, account, asset, commitment: hexToWord(word) };
      const opened = openBudgetState(under(old, account), place, fromHex(sealed ?? "0x"));
      const fresh = sealBudgetState(under(next, account), place, opened);
      return { account, asset, word, sealed: toHex(fresh.sealed), flag: toHex(fresh.flag) };
    }),
    agents: state.agents.map(({ id, address, wallet }) => {
      const place = { scope, agent: address };
      const key = openAgentWallet(under(old, address), place, fromHex(wallet));
      return { account_id: id, wallet: toHex(sealAgentWallet(under(next, address), place, key)) };
    }),
    held: await Promise.all(
      state.held.map(async ({ id, agent: whose, asset, sealed }) => {
        const place = { id, agent: whose, asset };
        const opened = await openHeld(
          deriveHeldKey(old, scope).secret,
          under(old, whose),
          scope,
          place,
          fromHex(sealed),
        );
        const fresh = await sealHeld(deriveHeldKey(next, scope).publicKey, under(next, whose), scope, opened);
        return { transaction_id: id, sealed: toHex(fresh) };
      }),
    ),
  };
}

const lower = (address: Address) => address.toLowerCase() as Address;

/** Everything a rotation changes. */
async function everything() {
  const mine = [owner.address, agent.address];
  const [settings, states, wallets, held, keys, made, log] = await Promise.all([
    db().select().from(accountNetworks).where(eq(accountNetworks.accountId, owner.account.id)),
    db().select().from(budgetStates).where(inArray(budgetStates.account, mine)),
    db().select().from(agents).where(eq(agents.accountId, agent.account.id)),
    db().select().from(heldPayments).where(eq(heldPayments.rootId, owner.account.id)),
    db().select().from(apiKeys).where(eq(apiKeys.accountId, owner.account.id)),
    db().select({ id: operations.id }).from(operations).where(inArray(operations.account, mine)),
    db().select({ id: auditLog.id }).from(auditLog).where(eq(auditLog.rootId, owner.account.id)),
  ]);
  return { settings, states, wallets, held, keys, made, log };
}

test("of two at once one is carried out, whole: nothing opens with the old secret, and all keys have ended", async () => {
  const [input, before] = [await rotation(), await everything()];
  const both = await Promise.allSettled([rotateSecret(owner.session, input), rotateSecret(owner.session, input)]);
  const [done] = both.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "budget_changed" } });
  expect(await settled(done?.id ?? "")).toEqual(["confirmed"]);

  const after = await everything();
  expect(after.settings).toMatchObject([{ secretVersion: 2 }]);
  const current = after.states.filter(({ status }) => status === "final");
  expect(current.map(({ secretVersion }) => secretVersion)).toEqual([2, 2]);
  const sealed = (rows: { sealed: Hex }[]) => rows.map((row) => row.sealed);
  for (const text of sealed([...before.states, ...before.held])) {
    expect(sealed([...after.states, ...after.held])).not.toContain(text);
  }
  expect(after.wallets).toMatchObject([{ secretVersion: 2 }]);
  expect(after.wallets[0]?.wallet).not.toBe(before.wallets[0]?.wallet);
  expect(after.held).toMatchObject([{ secretVersion: 2, status: "pending_approval" }]);
  expect(after.keys).toHaveLength(2);
  for (const { revokedAt, wrap, flagWrap } of after.keys) {
    expect([revokedAt, wrap, flagWrap]).toEqual([expect.any(Date), null, null]);
  }
  const entries = await db().select().from(auditLog).where(eq(auditLog.action, "account.secret_rotated"));
  const keys = after.keys.map(({ id }) => id).sort();
  expect(entries.filter(({ rootId }) => rootId === owner.account.id)).toMatchObject([
    { after: { secret_version: 2, spender: input.spender, keys } },
  ]);
});

test("what leaves something under the old secret, or is not as it stands, is refused whole", async () => {
  const input = await rotation();
  const [budget, other] = input.budgets;
  if (!budget || !other) throw new Error("two budgets are needed");
  const before = await everything();
  const changed: Partial<RotateInput>[] = [
    { secret_version: 1 },
    { secret_version: 3 },
    { budgets: [budget] },
    { budgets: [budget, budget] },
    { budgets: [budget, { ...other, word: budget.word }] },
    { agents: [] },
    { agents: [...input.agents, ...input.agents] },
    { held: [] },
    { held: input.held.map((one) => ({ ...one, transaction_id: "txn_00000000000000000000000000" })) },
  ];
  for (const change of changed) {
    const attempt = rotateSecret(owner.session, { ...input, ...change });
    await expect(attempt, JSON.stringify(Object.keys(change))).rejects.toMatchObject({ code: "budget_changed" });
  }
  const signature = (await rotation(generatePrivateKey())).signature;
  const forged = rotateSecret(owner.session, { ...input, signature });
  await expect(forged).rejects.toMatchObject({ code: "invalid_request", param: "signature" });
  expect(await everything()).toEqual(before);
});

test("nothing is rotated under what is on its way, and a held payment that does not open stays as it was", async () => {
  const input = await rotation();
  await services.withoutWorker(async () => {
    await owner.mint("1");
    await expect(rotateSecret(owner.session, input)).rejects.toMatchObject({ code: "budget_changed" });
  });
  await settled(...(await underWay()));
  const { held } = await everything();
  const unopened = input.held.map((one) => ({ ...one, sealed: null }));
  await rotateSecret(owner.session, { ...input, held: unopened });
  expect((await everything()).held).toEqual(held);
});
