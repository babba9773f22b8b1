import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { ledgerDomains } from "@/db/schema/ledger";
import { reencryptWraps } from "@/lib/accounts/keys/reencrypt-wraps";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { env } from "@/lib/base/env";
import { chainEnv } from "@/lib/chain/clients";
import { fromHex, randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { deriveFlagKey, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { hashApiKey, unwrapFlagKey, unwrapSecret } from "@/lib/ledger/encrypted/api-key";
import { decryptHome } from "@/lib/ledger/encrypted/blind-key";
import { createApiKey, createBlindKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { asOwner } from "@/test/services/as-owner";
import { backUpDatabase, restoreDatabase } from "@/test/services/backup-database";
import { startLocalDatabase } from "@/test/services/local-database";
import { withSettings } from "@/test/services/with-settings";
import { authenticateKey } from "./authenticate-key";

const CHAIN = 46630;
let database: { stop(): Promise<void> };
let owner: Owner;

beforeAll(async () => {
  database = await startLocalDatabase();
  const ledger = chainEnv(CHAIN).ledger.toLowerCase() as Hex;
  await db()
    .insert(ledgerDomains)
    .values({ chainId: CHAIN, ledger, salt: toHex(randomBytes(32)) });
});
afterAll(() => database?.stop());
beforeEach(async () => {
  await db().delete(apiKeys);
  owner = await Owner.create(CHAIN);
});

const random = () => toHex(randomBytes(32)).slice(2);
const [before, after] = [random(), random()];
/** The four steps of a rotation (docs/guides/self-hosting.md). */
const OLD = { SERVER_PEPPER: before };
const ACCEPTING = { SERVER_PEPPER: before, SERVER_PEPPER_PREVIOUS: after };
const BOTH = { SERVER_PEPPER: after, SERVER_PEPPER_PREVIOUS: before };
const NEW = { SERVER_PEPPER: after };

type Key = Awaited<ReturnType<typeof createApiKey>>;
const makeKey = (settings: Record<string, string>) => withSettings(settings, () => createApiKey(owner));

const contextOf = async ({ text }: Key, grant: "secret" | "flag") => {
  const request = { requestId: "test", clientAddress: null };
  return (await authenticateKey(`Bearer ${text}`, request, grant)).context;
};

/** What a request with the key decrypts, in a process with these settings. */
const opens = (settings: Record<string, string>, key: Key) =>
  withSettings(settings, async () => ({
    secret: toHex((await (await contextOf(key, "secret")).unwrap()).secret),
    flagKey: toHex((await (await contextOf(key, "flag")).unwrapFlagKey()) ?? new Uint8Array()),
  }));

const everything = () => ({ secret: toHex(owner.secret), flagKey: toHex(deriveFlagKey(owner.secret, owner.scope)) });

async function rowOf({ id }: Key) {
  const [row] = await db().select().from(apiKeys).where(eq(apiKeys.id, id));
  if (!row) throw new Error("the key has no row");
  return row;
}

/** Makes every update of a key after the given number of them fail, as if the process had ended there. */
async function endAfter(updates: number): Promise<() => Promise<void>> {
  const drop = () =>
    asOwner(async (sql) => {
      await sql.unsafe(
        "drop trigger if exists ends on api_keys; drop function if exists ends; drop sequence if exists so_far",
      );
    });
  await drop();
  await asOwner(async (sql) => {
    await sql.unsafe(`
      create sequence so_far;
      create function ends() returns trigger language plpgsql security definer as $$
        begin
          if nextval('so_far') > ${updates} then raise exception 'the process ends here'; end if;
          return new;
        end $$;
      create trigger ends before update on api_keys for each row execute function ends()`);
  });
  return drop;
}

test("a stolen key and a copy of the database from before its revocation decrypt nothing", async () => {
  const key = await createApiKey(owner);
  const { wrap, flagWrap } = await rowOf(key);
  const place = { scope: owner.scope, holder: owner.address, version: 1 };
  expect(() => unwrapSecret(key.text, place, fromHex(wrap ?? "0x"))).toThrow();
  expect(() => unwrapFlagKey(key.text, place, fromHex(flagWrap ?? "0x"))).toThrow();
});

test("a wrap decrypts with the key, in its own row and column only", async () => {
  const [key, other] = [await createApiKey(owner), await createApiKey(owner)];
  const [mine, theirs] = [await rowOf(key), await rowOf(other)];
  const set = (columns: Partial<typeof mine>) => db().update(apiKeys).set(columns).where(eq(apiKeys.id, key.id));
  const elsewhere = [{ wrap: theirs.wrap }, { wrap: mine.flagWrap }, { secretVersion: 2 }, { scheduleId: "sched_1" }];
  for (const columns of elsewhere) {
    await set(columns);
    await expect((await contextOf(key, "secret")).unwrap()).rejects.toMatchObject({ code: "unavailable" });
    await set(mine);
  }
  expect(await opens({}, key)).toEqual(everything());
});

test("a blind key gives the service authority alone, at every step of a rotation, and nothing once it is revoked", async () => {
  const key = await withSettings(OLD, () => createBlindKey(owner));
  const authorityIn = (settings: Record<string, string>) =>
    withSettings(settings, async () => {
      const { blind, unwrap } = await contextOf(key, "secret");
      await expect(unwrap()).rejects.toMatchObject({
        code: "key_forbidden",
        message: expect.stringMatching("home key"),
      });
      return toHex((await db().transaction(async (tx) => blind?.decryptAuthority(tx))) ?? new Uint8Array());
    });
  const authority = toHex(owner.authority);
  expect(await authorityIn(ACCEPTING)).toBe(authority);
  expect(await authorityIn(BOTH)).toBe(authority);
  await expect(authorityIn(NEW)).rejects.toMatchObject({ code: "unavailable" });
  expect(await withSettings(BOTH, reencryptWraps)).toEqual({ reencrypted: 1, unreadable: 0 });
  expect(await authorityIn(NEW)).toBe(authority);
  const { blind } = await withSettings(NEW, () => contextOf(key, "secret"));
  await revokeKey(owner.session, key.id);
  expect(await rowOf(key)).toMatchObject({ wrap: null, flagWrap: null, accessWrap: null, homeWrap: null });
  const after = db().transaction(async (tx) => blind?.decryptAuthority(tx));
  await expect(after).rejects.toMatchObject({ code: "unauthorized" });
});

test("the home wrap of a blind key is opened by its home key alone, and has what its client builds payments from", async () => {
  const key = await createBlindKey(owner);
  const place = { scope: owner.scope, holder: owner.address, version: 1 };
  const wrap = fromHex((await rowOf(key)).homeWrap ?? "0x");
  const { knowledge, assets, paymentKey } = decryptHome(key.homeKey, hashApiKey(key.text), place, wrap);
  expect([toHex(knowledge), paymentKey]).toEqual([
    toHex(owner.secret),
    derivePaymentKey(owner.authority, owner.scope).address.toLowerCase(),
  ]);
  expect(assets.map(({ symbol }) => symbol)).toEqual(["USDG", "ETH"]);
  const other = await createBlindKey(owner);
  expect(() => decryptHome(other.homeKey, hashApiKey(key.text), place, wrap)).toThrow();
  expect(() => decryptHome(key.homeKey, hashApiKey(other.text), place, wrap)).toThrow();
});

test("keys pay and read at every step of a rotation, whichever process made them", async () => {
  const keys = [await makeKey(OLD), await makeKey(ACCEPTING), await makeKey(BOTH)];
  for (const key of keys) {
    for (const step of [ACCEPTING, BOTH]) expect(await opens(step, key)).toEqual(everything());
  }
  expect(await withSettings(BOTH, reencryptWraps)).toEqual({ reencrypted: 2, unreadable: 0 });
  for (const key of keys) {
    for (const step of [ACCEPTING, BOTH, NEW]) expect(await opens(step, key)).toEqual(everything());
    await expect(opens(OLD, key)).rejects.toMatchObject({ code: "unavailable" });
  }
  expect(await withSettings(BOTH, reencryptWraps)).toEqual({ reencrypted: 0, unreadable: 0 });
});

test("a rotation that ends after any of its writes loses nothing, and the next run completes it", async () => {
  const keys = [await makeKey(OLD), await makeKey(OLD), await makeKey(BOTH), await makeKey(OLD)];
  // Each run gets one key further than the one before.
  for (const updates of [0, 1, 1]) {
    const resume = await endAfter(updates);
    await expect(withSettings(BOTH, reencryptWraps).finally(resume)).rejects.toThrow();
    for (const key of keys) {
      for (const step of [ACCEPTING, BOTH]) expect(await opens(step, key)).toEqual(everything());
    }
  }
  await withSettings(BOTH, reencryptWraps);
  for (const key of keys) expect(await opens(NEW, key)).toEqual(everything());
});

test("a pepper that was removed too early stops its keys with a clear error, until it is accepted again", async () => {
  const key = await makeKey(OLD);
  await expect(opens(NEW, key)).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching("create another key"),
  });
  // Of a pepper that neither is, the command says so and changes nothing.
  const others = { SERVER_PEPPER: random(), SERVER_PEPPER_PREVIOUS: random() };
  const stored = await rowOf(key);
  expect(await withSettings(others, reencryptWraps)).toEqual({ reencrypted: 0, unreadable: 1 });
  expect(await rowOf(key)).toEqual(stored);
  expect(await opens(BOTH, key)).toEqual(everything());
});

test("a key that is revoked while the pepper rotates is not given its wraps back", async () => {
  const [revoked, kept] = [await makeKey(OLD), await makeKey(OLD)];
  let rotation: Promise<unknown> = Promise.resolve();
  await asOwner((sql) =>
    sql.begin(async (tx) => {
      await tx`update api_keys set revoked_at = now(), wrap = null, flag_wrap = null where id = ${revoked.id}`;
      // It has read which keys there are, and waits for this row.
      rotation = withSettings(BOTH, reencryptWraps);
      await expect.poll(waitingForLock).toBe(true);
    }),
  );
  await rotation;
  expect(await rowOf(revoked)).toMatchObject({ wrap: null, flagWrap: null });
  expect(await opens(NEW, kept)).toEqual(everything());
});

const waitingForLock = () =>
  asOwner(async (sql) => {
    const waiting = await sql`select 1 from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`;
    return waiting.length > 0;
  });

test("a restored backup needs the pepper it was made under, and then rotates like any database", async () => {
  const urls = { DATABASE_URL: env().databaseUrl, MIGRATION_DATABASE_URL: process.env.MIGRATION_DATABASE_URL ?? "" };
  const key = await makeKey(OLD);
  await backUpDatabase(urls);
  await withSettings(BOTH, reencryptWraps);
  await restoreDatabase(urls);
  await expect(opens(NEW, key)).rejects.toMatchObject({ code: "unavailable" });
  expect(await withSettings(BOTH, reencryptWraps)).toEqual({ reencrypted: 1, unreadable: 0 });
  expect(await opens(NEW, key)).toEqual(everything());
});

test("a key that was revoked after the backup works again until it is revoked again, as the guide says", async () => {
  const urls = { DATABASE_URL: env().databaseUrl, MIGRATION_DATABASE_URL: process.env.MIGRATION_DATABASE_URL ?? "" };
  const key = await createApiKey(owner);
  await backUpDatabase(urls);
  await revokeKey(owner.session, key.id);
  await restoreDatabase(urls);
  expect(await opens({}, key)).toEqual(everything());
  await revokeKey(owner.session, key.id);
  await expect(opens({}, key)).rejects.toMatchObject({ code: "unauthorized" });
});
