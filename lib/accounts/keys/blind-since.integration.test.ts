import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { apiKeys } from "@/db/schema/keys";
import { strayBlindKey, strayKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { blindSince } from "./blind-since";
import { createKey } from "./create-key";
import { revokeKey } from "./revoke-key";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services?.stop());

test("an account is blind from the end of its last key that decrypts, whether revoked or expired", async () => {
  const { session, account } = await Owner.create(46630);
  await createKey(session, strayBlindKey());
  await createKey(session, { ...strayKey(), scopes: ["read"], wrap: null });
  expect(await blindSince(session)).toEqual(account.createdAt);
  const plain = await createKey(session, strayKey());
  const brief = await createKey(session, { ...strayKey(), expires_at: new Date(Date.now() + 60_000) });
  expect(await blindSince(session)).toBeNull();
  const { revokedAt } = await revokeKey(session, plain.id);
  expect(await blindSince(session)).toBeNull();
  await db()
    .update(apiKeys)
    .set({ expiresAt: new Date(Date.now() - 60_000) })
    .where(eq(apiKeys.id, brief.id));
  expect(await blindSince(session)).toEqual(revokedAt);
});
