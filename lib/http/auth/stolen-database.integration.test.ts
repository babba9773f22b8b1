import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { createWalletClient, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import { apiKeys } from "@/db/schema/keys";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { lowerAddress } from "@/lib/chain/registry";
import { beginAttempt } from "@/lib/http/idempotency/begin-attempt";
import { fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { unlockTypedData } from "@/lib/ledger/encrypted/account-key";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { toTransferResource } from "@/lib/payments/transfer-resource";
import { runWorker } from "@/lib/worker/run-worker";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { breakIn, LABELS, materialsIn, materialsInEnvironment, withDerived } from "@/test/attacks/attacker";
import { ledgerSays, provenPayments } from "@/test/attacks/forgery";
import { encryptedThings, type Loot, stealDatabase } from "@/test/attacks/loot";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { authenticateKey } from "./authenticate-key";

const CHAIN = 46630;
let services: LocalServices;
let alice: Owner;
let bob: Owner;
let keys: Record<"alice" | "bob" | "revoked", string>;
let blind: { text: string; homeKey: string };
/** The environment of the server, without anything of the machine that runs this test. */
let environment: Record<string, string>;
/** The database before a key was revoked. */
let before: Loot;
const stop = new AbortController();
let worker: Promise<void>;

/** Makes a server-signed payment with an `Idempotency-Key`. Returns once it is final. */
async function pay(text: string, to: Owner, amount: string, confidential: boolean): Promise<string> {
  const key = await authenticateKey(`Bearer ${text}`, { requestId: "test", clientAddress: null }, "secret");
  const body = { to: `@${to.account.handle}`, amount, asset: "USDG" as const, confidential, memo: `memo of ${amount}` };
  const request = { method: "POST", path: "/v1/transfers", bodyText: JSON.stringify(body) };
  const attempt = await beginAttempt(key, { ...request, idempotencyKey: randomUUID() });
  if (!("complete" in attempt)) throw new Error("the request was made before");
  const created = await createTransfer(key.context, body, (tx, payment) =>
    attempt.complete(tx, { status: 201, body: toTransferResource(paidTransfer(payment)) }),
  );
  const { row } = paidTransfer(created);
  expect(await settled(row.operationId)).toEqual(["confirmed"]);
  return row.operationId;
}

beforeAll(async () => {
  const own = { ...process.env };
  services = await startLocalServices();
  const added = Object.entries(process.env).filter(([name, value]) => value !== undefined && own[name] !== value);
  environment = Object.fromEntries(added) as Record<string, string>;
  worker = runWorker(stop.signal);
  [alice, bob] = await Promise.all([Owner.funded(CHAIN, 1_000_000_000n), Owner.create(CHAIN)]);
  await settled(await bob.enroll());
  const [aliceKey, bobKey, revoked] = [await createApiKey(alice), await createApiKey(bob), await createApiKey(alice)];
  keys = { alice: aliceKey.text, bob: bobKey.text, revoked: revoked.text };
  blind = await createBlindKey(alice);
  await pay(keys.revoked, bob, "40", true);
  await pay(keys.alice, bob, "25", true);
  await pay(keys.alice, bob, "3.5", false);
  before = await stealDatabase(services.env.MIGRATION_DATABASE_URL);
  await revokeKey(alice.session, revoked.id);
  // Bob's notes become an available balance and a change note; alice receives a note that she has not made available.
  await settled(await bob.makeAvailable(30_000_000n));
  await pay(keys.bob, alice, "2", true);
});

afterAll(async () => {
  stop.abort();
  await worker;
  await services?.stop();
});

/**
 * Tries what someone who stole the database can do with some secrets: by default those in it and in the environment.
 */
async function theft(secrets = (loot: Loot) => [...materialsIn(loot), ...environmentSecrets()], stolen?: Loot) {
  const { scope } = alice;
  const loot = stolen ?? (await stealDatabase(services.env.MIGRATION_DATABASE_URL));
  const targets = encryptedThings(loot, scope);
  // Everyone from whom the ledger accepts a payment of these accounts.
  const authorities = [alice, bob].flatMap((owner) => [owner.walletKey, paymentKeyOf(owner).privateKey]);
  const who = { scope, accounts: [alice.address, bob.address] };
  return { targets, ...(await breakIn(targets, authorities, secrets(loot), who)) };
}

const wrapping = () => db().select().from(apiKeys).where(isNotNull(apiKeys.wrap));

const environmentSecrets = () =>
  materialsInEnvironment(environment).flatMap((secret) => withDerived(secret, alice.scope));

const paymentKeyOf = ({ authority, scope }: Owner) => derivePaymentKey(authority, scope);

const kindsOf = (things: Iterable<{ kind: string }>) => [...new Set([...things].map(({ kind }) => kind))].sort();

const KINDS = [
  "access wrap",
  "available balance flag",
  "available balance state",
  "change note",
  "encrypted account key",
  "flag wrap",
  "home wrap",
  "idempotency answer",
  "key wrap",
  "memo",
  "move to the available balance's payer copy",
  "note",
  "payer copy",
  "recipient copy",
  "recipient memo",
];

describe("the database and the whole environment of the server, stolen", () => {
  test("open nothing that is encrypted and hold no key that may sign a payment", async () => {
    const { targets, opened, signers } = await theft();
    expect(kindsOf(targets)).toEqual(KINDS);
    expect([...opened.keys()].map(({ kind, id }) => `${kind} ${id}`)).toEqual([]);
    expect(signers).toEqual([]);
  });

  test("open everything together with what only the owners have: the attacker knows how", async () => {
    const unlocks = await Promise.all(
      [alice, bob].map(({ wallet, scope, address }) => wallet.signTypedData(unlockTypedData(scope, address))),
    );
    const texts = [...Object.values(keys), blind.text, blind.homeKey];
    const held = [...texts.map(utf8), ...unlocks.map((signature) => fromHex(signature).slice(0, 64))];
    const { targets, opened, signers } = await theft(() => [...held, ...environmentSecrets()]);
    expect(targets.filter((target) => !opened.has(target)).map(({ kind, id }) => `${kind} ${id}`)).toEqual([]);
    expect(signers).toHaveLength(2);
  });

  test("open, with keys in force but without the environment, only the responses to their own requests", async () => {
    const { opened, signers } = await theft((loot) => [...Object.values(keys).map(utf8), ...materialsIn(loot)]);
    expect(kindsOf(opened.keys())).toEqual(["idempotency answer"]);
    expect(signers).toEqual([]);
  });

  test("open, with a key and a database from before its revocation, nothing but with the pepper too", async () => {
    const rows = before.get("api_keys") ?? [];
    expect(rows.filter(({ wrap }) => wrap !== null).length).toBeGreaterThan((await wrapping()).length);
    const alone = await theft(() => [utf8(keys.revoked)], before);
    expect([kindsOf(alone.opened.keys()), alone.signers]).toEqual([["idempotency answer"], []]);
    const peppered = await theft(() => [utf8(keys.revoked), ...environmentSecrets()], before);
    expect(kindsOf(peppered.opened.keys())).toEqual(expect.arrayContaining(["available balance state", "key wrap"]));
    expect(peppered.signers).toEqual([paymentKeyOf(alice).privateKey]);
  });

  test("open, with a blind key and the environment, what signs and no amount; its home key opens amounts, and signs nothing", async () => {
    const byBearer = await theft(() => [utf8(blind.text), ...environmentSecrets()]);
    expect([kindsOf(byBearer.opened.keys()), byBearer.signers]).toEqual([
      ["access wrap", "available balance flag", "flag wrap"],
      [paymentKeyOf(alice).privateKey],
    ]);
    const byHome = await theft(() => [utf8(blind.homeKey)]);
    const [[target, content] = []] = byHome.opened;
    expect([target?.kind, byHome.opened.size, byHome.signers]).toEqual(["home wrap", 1, []]);
    const knowledge = content?.slice(1, 33) ?? new Uint8Array();
    const known = await theft(() => [knowledge]);
    expect(kindsOf(known.opened.keys())).toEqual(expect.arrayContaining(["available balance state"]));
    expect(known.signers).toEqual([]);
  });

  test("open, with a revoked key, only the responses to that key's own requests", async () => {
    const { opened, signers } = await theft(() => [utf8(keys.revoked)]);
    expect(kindsOf(opened.keys())).toEqual(["idempotency answer"]);
    expect(signers).toEqual([]);
  });

  test("would give a wrap under the pepper away, and with it available balances, flags and the right to pay", async () => {
    const weak = await createApiKey(alice, environment.SERVER_PEPPER);
    try {
      const { opened, signers } = await theft(environmentSecrets);
      expect(kindsOf(opened.keys())).toEqual(
        expect.arrayContaining(["available balance flag", "available balance state", "key wrap"]),
      );
      expect(signers).toEqual([paymentKeyOf(alice).privateKey]);
    } finally {
      await db().delete(apiKeys).where(eq(apiKeys.id, weak.id));
    }
  });

  test("would give a payment key in any row away", async () => {
    const { privateKey } = paymentKeyOf(bob);
    const careless = await createApiKey(bob);
    try {
      await db().update(apiKeys).set({ label: privateKey }).where(eq(apiKeys.id, careless.id));
      const { signers } = await theft((loot) => materialsIn(new Map([["keys", loot.get("api_keys") ?? []]])));
      expect(signers).toEqual([privateKey]);
    } finally {
      await db().delete(apiKeys).where(eq(apiKeys.id, careless.id));
    }
  });
});

describe("the attacker's knowledge", () => {
  test("covers every label the product derives keys by", () => {
    const filesOf = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file));
    const sources = [...filesOf("lib"), ...filesOf("sdk")]
      .filter((file) => file.endsWith(".ts") && !/\.(test|fixture)\.ts$/.test(file))
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const direct = sources.matchAll(/\b(?:hkdf|derive|signingKey)\([^"`;]*?"([a-z -]+)"/g);
    const ofKeys = sources.matchAll(/"(idempotency [a-z]+)"/g);
    const labels = new Set([...direct, ...ofKeys].map(([, label]) => label));
    expect([...labels].sort()).toEqual([...LABELS].sort());
  });
});

describe("payments the attacker makes", () => {
  test("are refused by the ledger whatever stolen key signs or sends them, even with openings granted", async () => {
    const stranger = privateKeyToAddress(generatePrivateKey());
    const gasPayers = await db().select().from(relayers).where(eq(relayers.chainId, CHAIN));
    const secrets = materialsInEnvironment(environment).filter(({ length }) => length === 32);
    const stolenKeys = secrets.map(toHex);
    const stolen = stolenKeys.map((key) => ({ key, address: lowerAddress(privateKeyToAddress(key)) }));
    // The attacker does have every account that pays gas.
    expect(stolen.map(({ address }) => address)).toEqual(expect.arrayContaining(gasPayers.map((row) => row.address)));
    const lookAlikes = secrets.map((secret) => derivePaymentKey(secret, alice.scope).privateKey);
    for (const payment of await provenPayments(alice, bob, stranger)) {
      for (const key of [...stolenKeys, ...lookAlikes]) {
        expect(await ledgerSays(alice, stranger, await payment.signedBy(key))).toBe("NotAuthorized");
      }
      for (const { address } of [...stolen, { address: stranger }]) {
        expect(await ledgerSays(alice, address, await payment.signedBy())).toBe("NotAuthorized");
      }
      // The proof is valid: only the payment key's signature was missing.
      const accepted = await payment.signedBy(paymentKeyOf(alice).privateKey);
      expect(await ledgerSays(alice, stranger, accepted)).toBe("accepted");
    }
  });

  test("revert when they are mined, and move nothing", async () => {
    const { rpcUrl } = chainEnv(CHAIN);
    const account = privateKeyToAccount(environment.FAUCET_KEY as Hex);
    const wallet = createWalletClient({ account, transport: http(rpcUrl) });
    const before = await alice.decryptAvailable();
    for (const payment of await provenPayments(alice, bob, account.address)) {
      for (const data of [await payment.signedBy(environment.FAUCET_KEY as Hex), await payment.signedBy()]) {
        const to = chainEnv(CHAIN).ledger;
        const hash = await wallet.sendTransaction({ to, data, gas: 1_000_000n, chain: null });
        const receipt = await publicClient(CHAIN).waitForTransactionReceipt({ hash, pollingInterval: 50 });
        expect(receipt.status).toBe("reverted");
      }
    }
    expect(await alice.decryptAvailable()).toEqual(before);
  });

  test("cannot be old ones again: a captured call is refused, its signed transaction too", async () => {
    const captured = await db()
      .select({ data: operations.data, raw: outgoingTransactions.raw })
      .from(operations)
      .innerJoin(outgoingTransactions, eq(outgoingTransactions.operationId, operations.id))
      .where(and(eq(operations.account, alice.address), inArray(operations.kind, ["transfer", "release"])));
    expect(captured.length).toBeGreaterThanOrEqual(3);
    const sender = privateKeyToAddress(environment.FAUCET_KEY as Hex);
    for (const { data, raw } of captured) {
      expect(await ledgerSays(alice, sender, data)).toBe("NotAuthorized");
      const again = publicClient(CHAIN).sendRawTransaction({ serializedTransaction: raw });
      await expect(again).rejects.toThrow(/nonce/i);
    }
  });
});
