import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { sql } from "@/db/client";
import { createKey } from "@/lib/accounts/keys/create-key";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { revokeKey } from "@/lib/accounts/keys/revoke-key";
import { env } from "@/lib/base/env";
import { openStream } from "@/lib/events/stream/open-streams";
import { createSession } from "@/lib/http/auth/create-session";
import { listSessions } from "@/lib/http/auth/list-sessions";
import { strayKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

const CHAIN = 46630;
let services: SharedServices;
let usual: ReturnType<typeof env>["accountCaps"];
beforeAll(async () => {
  services = await startSharedServices();
  usual = { ...env().accountCaps };
});
afterEach(() => {
  Object.assign(env().accountCaps, usual);
});
afterAll(() => services.stop());

test("an account has so many live keys at most, however many it asks for at once; ended ones make room", async () => {
  env().accountCaps.keys = 3;
  const { session } = await Owner.create(CHAIN);
  const asked = await Promise.allSettled(Array.from({ length: 5 }, () => createKey(session, strayKey())));
  const refused = asked.filter((one) => one.status === "rejected");
  expect(refused.map(({ reason }) => reason)).toEqual([
    expect.objectContaining({
      code: "invalid_request",
      publicMessage: expect.stringContaining("at most 3 live API keys"),
    }),
    expect.objectContaining({ code: "invalid_request" }),
  ]);
  const [first] = await listKeys(session);
  await revokeKey(session, first?.id ?? "");
  await createKey(session, strayKey());
  // Keys of the other network, or of someone else, don't count.
  const live = { ...session, network: "live", chainId: 4663 } as const;
  await createKey(live, { ...strayKey(), prefix: "hc_live_" });
  await createKey((await Owner.create(CHAIN)).session, strayKey());
});

test("all live keys are listed, and of ended ones the newest thousand", async () => {
  const { session, account } = await Owner.create(CHAIN);
  const { id } = await createKey(session, strayKey());
  await sql()`
    insert into api_keys (id, account_id, chain_id, hash, prefix, last_four, label, secret_version, created_at, revoked_at)
    select 'key_' || ${account.id} || n, ${account.id}, ${CHAIN}, sha256((${account.id} || n)::bytea), 'hc_test_', '0000',
      'ended', 1, now() + n * interval '1 second', now() from generate_series(1, 1010) n`;
  const keys = await listKeys(session);
  expect(keys).toHaveLength(1_001);
  expect(keys.at(-1)?.id).toBe(id);
  expect(keys[0]?.id).toBe(`key_${account.id}1010`);
});

test("a wallet has so many sessions at most: one more ends the oldest", async () => {
  env().accountCaps.sessions = 3;
  const { address } = await Owner.create(CHAIN);
  const origin = { userAgent: null, clientAddress: null };
  const times = [1, 2, 3, 4, 5].map((minutes) => new Date(Date.now() - 600_000 + minutes * 60_000));
  for (const at of times) await createSession(address, origin, at);
  const ctx = { actor: "wallet", address, sessionId: "", account: null } as const;
  const open = await listSessions({ ...ctx, network: "test", chainId: CHAIN, requestId: "req_1", clientAddress: null });
  expect(open.map(({ createdAt }) => createdAt)).toEqual(times.slice(2).reverse());
});

test("an account has so many streams at most, of all its sessions and both networks", async () => {
  env().accountCaps.streams = 3;
  const { session } = await Owner.create(CHAIN);
  const live = { ...session, network: "live", chainId: 4663 } as const;
  const holds = async () => true;
  const streams = [
    await openStream({ ...session, sessionId: "one" }, null, holds),
    await openStream({ ...session, sessionId: "two" }, null, holds),
    await openStream({ ...live, sessionId: "three" }, null, holds),
  ];
  await expect(openStream({ ...session, sessionId: "four" }, null, holds)).rejects.toMatchObject({
    code: "rate_limited",
    publicMessage: expect.stringContaining("at most 3 streams"),
  });
  streams[0]?.end();
  await openStream((await Owner.create(CHAIN)).session, null, holds);
  const again = await openStream({ ...session, sessionId: "four" }, null, holds);
  for (const stream of [...streams, again]) stream.end();
});
