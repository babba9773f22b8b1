import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { auditLog } from "@/db/schema/audit";
import { apiKeys } from "@/db/schema/keys";
import { createKey } from "@/lib/accounts/keys/create-key";
import type { SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { createApiKey, createBlindKey, strayKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { getEnrollment } from "./get-enrollment";
import { setStrict } from "./set-strict";

const CHAIN = 46630;
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const request = { requestId: "test", clientAddress: null };
const keysOf = (owner: Owner) => db().select().from(apiKeys).where(eq(apiKeys.accountId, owner.account.id));

async function agentSession(owner: Owner): Promise<SessionContext> {
  const { id, handle, address } = owner.account;
  const agent = {
    id: newId("account"),
    handle: `${handle}/bot`,
    address: toHex(randomBytes(20)),
    createdAt: new Date(),
  };
  await db()
    .insert(accounts)
    .values({ ...agent, type: "agent", ownerId: id, chainId: CHAIN });
  return { ...owner.session, account: { ...agent, type: "agent", rootId: id, rootAddress: address } };
}

test("strict mode takes every key's secret from it: they read on and cannot pay, before and after it is off", async () => {
  const [owner, other] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  const { id, text } = await createApiKey(owner);
  const agentKey = await createKey(await agentSession(owner), strayKey());
  const foreign = await createApiKey(other);
  await setStrict(owner.session, true);
  expect((await keysOf(owner)).map(({ wrap }) => wrap)).toEqual([null, null]);
  const use = async (key: string) => (await authenticateKey(`Bearer ${key}`, request, "secret")).context;
  expect((await use(text)).account.id).toBe(owner.account.id);
  await expect((await use(text)).unwrap()).rejects.toMatchObject({ code: "key_forbidden" });
  const { context } = await authenticateKey(`Bearer ${text}`, request, "flag");
  expect(await context.unwrapFlagKey()).not.toBeNull();
  expect((await (await use(foreign.text)).unwrap()).secret).toEqual(other.secret);
  expect((await getEnrollment(owner.session)).strict).toBe(true);
  await expect(createKey(owner.session, strayKey())).rejects.toMatchObject({ param: "wrap" });
  await createKey(owner.session, { ...strayKey(), wrap: null });
  await setStrict(owner.session, false);
  await expect((await use(text)).unwrap()).rejects.toMatchObject({ code: "key_forbidden" });
  const fresh = await createApiKey(owner);
  expect((await (await use(fresh.text)).unwrap()).secret).toEqual(owner.secret);
  const entries = await db()
    .select()
    .from(auditLog)
    .where(eq(auditLog.action, "account.strict_changed"))
    .orderBy(asc(auditLog.position));
  expect(entries.map(({ rootId, actorType, before, after }) => ({ rootId, actorType, before, after }))).toEqual([
    {
      rootId: owner.account.id,
      actorType: "session",
      before: { strict: false },
      after: { strict: true, keys: expect.arrayContaining([id, agentKey.id]) },
    },
    { rootId: owner.account.id, actorType: "session", before: { strict: true }, after: { strict: false } },
  ]);
});

test("the other network's keys keep their secrets, and asking twice changes nothing", async () => {
  const owner = await Owner.create(CHAIN);
  const live: SessionContext = { ...owner.session, network: "live", chainId: 4663 };
  await createKey(live, { ...strayKey(), prefix: "hc_live_" });
  await setStrict(owner.session, true);
  await setStrict(owner.session, true);
  expect((await keysOf(owner)).map(({ wrap }) => wrap === null)).toEqual([false]);
  expect((await getEnrollment(live)).strict).toBe(false);
  expect(await db().$count(auditLog, eq(auditLog.rootId, owner.account.id))).toBe(2);
});

test("no key that is created at the same time keeps a secret", async () => {
  for (let n = 0; n < 5; n++) {
    const owner = await Owner.create(CHAIN);
    const created = Array.from({ length: 8 }, () => createKey(owner.session, strayKey()));
    await Promise.allSettled([...created.slice(0, 4), setStrict(owner.session, true), ...created.slice(4)]);
    expect((await keysOf(owner)).filter(({ wrap }) => wrap !== null)).toEqual([]);
  }
});

test("strict mode takes from blind keys what they sign and read with, and allows no new one", async () => {
  const owner = await Owner.create(CHAIN);
  await createBlindKey(owner);
  await setStrict(owner.session, true);
  expect(await keysOf(owner)).toMatchObject([{ accessWrap: null, homeWrap: null }]);
  await expect(createBlindKey(owner)).rejects.toMatchObject({ code: "invalid_request", param: "blind" });
});
