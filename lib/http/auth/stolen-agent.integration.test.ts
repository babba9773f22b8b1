import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { connections } from "@/db/schema/connections";
import { apiKeys } from "@/db/schema/keys";
import { fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { deriveHeldKey, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import { createTransfer } from "@/lib/payments/create-transfer";
import { runWorker } from "@/lib/worker/run-worker";
import { Agent } from "@/test/accounts/agent";
import { createApiKey } from "@/test/accounts/api-key";
import { connected } from "@/test/accounts/connection";
import { Owner, settled } from "@/test/accounts/owner";
import { breakIn, materialsIn, materialsInEnvironment, withDerived } from "@/test/attacks/attacker";
import { encryptedThings, type Loot, stealDatabase } from "@/test/attacks/loot";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { authenticateKey } from "./authenticate-key";

const CHAIN = 46630;
let services: LocalServices;
let alice: Owner;
let bob: Owner;
let bot: Agent;
let sibling: Agent;
let keys: Record<"alice" | "bot" | "sibling", string>;
/** The environment of the server, without anything of the machine that runs this test. */
let environment: Record<string, string>;
const stop = new AbortController();
let worker: Promise<void>;

/** Makes a server-signed payment. Returns whether it was made (then it is final) or awaits approval. */
async function pay(text: string, to: string, amount: string): Promise<string> {
  const key = await authenticateKey(`Bearer ${text}`, { requestId: "test", clientAddress: null }, "secret");
  const input = { to: `@${to}`, amount, asset: "USDG" as const, confidential: true, memo: `memo of ${amount}` };
  const created = await createTransfer(key.context, input);
  if (created.outcome === "held") return "held";
  const [status = ""] = await settled(created.transfer.row.operationId);
  return status;
}

beforeAll(async () => {
  const own = { ...process.env };
  services = await startLocalServices();
  const added = Object.entries(process.env).filter(([name, value]) => value !== undefined && own[name] !== value);
  environment = Object.fromEntries(added) as Record<string, string>;
  worker = runWorker(stop.signal);
  [alice, bob] = await Promise.all([Owner.funded(CHAIN, 1_000_000_000n), Owner.create(CHAIN)]);
  await settled(await bob.enroll());
  const agents = [await Agent.create(alice, { hitlThreshold: 10_000_000n }), await Agent.create(alice)] as const;
  await settled(...agents.map(({ operationId }) => operationId));
  [bot, sibling] = [agents[0].agent, agents[1].agent];
  const [aliceKey, botKey, siblingKey] = [
    await createApiKey(alice),
    await createApiKey(bot),
    await createApiKey(sibling),
  ];
  keys = { alice: aliceKey.text, bot: botKey.text, sibling: siblingKey.text };
  for (const agent of [bot, sibling]) {
    expect(await pay(keys.alice, agent.account.handle, "100")).toBe("confirmed");
  }
  expect(await pay(keys.bot, bob.account.handle, "5")).toBe("confirmed");
  expect(await pay(keys.sibling, bob.account.handle, "7")).toBe("confirmed");
  expect(await pay(keys.bot, bob.account.handle, "20")).toBe("held");
});

afterAll(async () => {
  stop.abort();
  await worker;
  await services?.stop();
});

/** Tries what someone who stole the database can do with some secrets. */
async function theft(secrets: (loot: Loot) => Uint8Array[]) {
  const { scope } = alice;
  const loot = await stealDatabase(services.env.MIGRATION_DATABASE_URL);
  const heldKeys = new Map([[alice.account.id, deriveHeldKey(alice.secret, scope).publicKey]]);
  const targets = encryptedThings(loot, scope, heldKeys);
  const paymentKeys = [alice, bob].map((owner) => derivePaymentKey(owner.authority, scope).privateKey);
  const agents = [bot.address, sibling.address];
  const authorities = [alice.walletKey, bob.walletKey, ...paymentKeys, bot.ownKey, sibling.ownKey];
  const { opened, signers } = await breakIn(targets, authorities, secrets(loot), { scope, accounts: agents });
  const namesOf = (things: Iterable<{ kind: string; id: string }>) =>
    [...things].map(({ kind, id }) => `${kind} ${id}`);
  return { loot, targets: namesOf(targets), opened: namesOf(opened.keys()).sort(), signers };
}

/**
 * Returns everything in the agent's rows that belongs to its key: its encrypted secrets and its encrypted available
 * balance.
 */
function belongingsOf({ account, address }: Agent, loot: Loot): string[] {
  const rows = <T>(table: string) => (loot.get(table) ?? []) as T[];
  const own = rows<{ id: string; agent_id: string | null }>("api_keys").filter((key) => key.agent_id === account.id);
  const states = rows<{ account: Buffer; commitment: Buffer }>("available_states").filter(
    (state) => toHex(state.account) === address,
  );
  return [
    ...own.flatMap(({ id }) => [`key wrap ${id}`, `flag wrap ${id}`]),
    ...states.flatMap(({ commitment }) => [
      `available balance state ${toHex(commitment)}`,
      `available balance flag ${toHex(commitment)}`,
    ]),
  ].sort();
}

const secretsOf = (settings: Record<string, string>) =>
  materialsInEnvironment(settings).flatMap((secret) => withDerived(secret, alice.scope));

const pepper = () => secretsOf({ SERVER_PEPPER: environment.SERVER_PEPPER ?? "" });

describe("with the whole database of a service with agents, an attacker", () => {
  test("and its whole environment opens no agent's wallet, available balance or held payment, and signs for no one", async () => {
    const { targets, opened, signers } = await theft((loot) => [...materialsIn(loot), ...secretsOf(environment)]);
    const of = (kind: string) => targets.filter((name) => name.startsWith(kind)).length;
    expect(["agent's wallet", "held payment", "available balance state"].map(of)).toEqual([2, 1, 3]);
    expect(opened).toEqual([]);
    expect(signers).toEqual([]);
  });

  test("and its whole environment opens no access token that waits for its application; the code does", async () => {
    const { id, code } = await connected(alice, bot.account);
    try {
      const everything = await theft((loot) => [...materialsIn(loot), ...secretsOf(environment)]);
      expect(everything.targets).toContain(`access token ${id}`);
      expect(everything.opened).toEqual([]);
      expect((await theft(() => [utf8(code)])).opened).toContain(`access token ${id}`);
    } finally {
      const [row] = await db().delete(connections).where(eq(connections.id, id)).returning();
      await db()
        .delete(apiKeys)
        .where(eq(apiKeys.id, row?.keyId ?? ""));
    }
  });

  test("and an agent's API key reads nothing and cannot sign: not past its policy, nor for others", async () => {
    const { opened, signers } = await theft((stolen) => [utf8(keys.bot), ...materialsIn(stolen)]);
    expect(opened).toEqual([]);
    expect(signers).toEqual([]);
  });

  test("and an agent's API key and the pepper too has that agent's wallet, and nothing of owner or sibling", async () => {
    const { loot, opened, signers } = await theft(() => [utf8(keys.bot), ...pepper()]);
    expect(opened).toEqual([...belongingsOf(bot, loot), `agent's wallet ${bot.account.id}`].sort());
    // So it is the pepper that keeps an agent's API key within the agent's policy.
    expect(signers).toEqual([bot.ownKey]);
  });

  test("and the owner's key and wallet and the pepper has everything: the attacker knows how", async () => {
    const unlocks = await Promise.all(
      [alice, bob].map(({ wallet, scope, address }) => wallet.signTypedData(unlockTypedData(scope, address))),
    );
    const secrets = [...Object.values(keys).map(utf8), ...unlocks.map((signature) => fromHex(signature).slice(0, 64))];
    const { targets, opened, signers } = await theft(() => [...secrets, ...pepper()]);
    expect(opened).toEqual([...targets].sort());
    expect(signers).toHaveLength(4);
  });
});
