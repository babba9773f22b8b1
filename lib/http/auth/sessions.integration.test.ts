import { eq } from "drizzle-orm";
import { encode } from "next-auth/jwt";
import type { Address } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { accounts, sessions } from "@/db/schema/accounts";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { listAuditEntries } from "@/lib/events/audit/list-entries";
import { ListAuditQuery } from "@/lib/events/audit/schema";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { authenticateSession, authenticateWallet } from "./authenticate-session";
import { createSession } from "./create-session";
import { listSessions } from "./list-sessions";
import { endSession, revokeSession } from "./revoke-session";
import { sessionCookieName } from "./session-cookie";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services?.stop());

const origin = { network: "test", chainId: 46630, requestId: "req_1", clientAddress: "192.0.2.7" } as const;

async function signIn(address: Address, onlyOn?: 46630 | 4663): Promise<{ token: string; cookies: string }> {
  const token = await createSession(address, { userAgent: "test", clientAddress: "192.0.2.7", onlyOn });
  const cookie = await encode({ token: { sessionToken: token }, secret: env().nextAuthSecret });
  return { token, cookies: `${sessionCookieName()}=${cookie}` };
}

test("a session ends once, on every server, and both networks' audit logs say who ended it", async () => {
  const owner = await Owner.create(46630);
  const [first, second] = [await signIn(owner.address), await signIn(owner.address)];
  const { sessionId } = await authenticateWallet(first.cookies, origin);
  const other = await authenticateWallet(second.cookies, origin);
  const ended = await revokeSession(other, sessionId);
  await expect(authenticateWallet(first.cookies, origin)).rejects.toMatchObject({ code: "unauthorized" });
  expect(await revokeSession(other, sessionId)).toEqual(ended);
  await endSession(second.token);
  await endSession(second.token);
  await expect(authenticateWallet(second.cookies, origin)).rejects.toMatchObject({ code: "unauthorized" });
  for (const chainId of [46630, 4663] as const) {
    const { entries } = await listAuditEntries({ ...owner.session, chainId }, ListAuditQuery.parse({}));
    expect(entries.map(({ row }) => [row.action, row.target, row.actorId, row.clientAddress])).toEqual([
      ["session.revoked", other.sessionId, other.sessionId, null],
      ["session.revoked", sessionId, other.sessionId, "192.0.2.7"],
      ["session.created", other.sessionId, other.sessionId, "192.0.2.7"],
      ["session.created", sessionId, sessionId, "192.0.2.7"],
    ]);
  }
});

test("a session that ran out says so to who brings its token; one that was ended says what a made-up one does", async () => {
  const owner = await Owner.create(46630);
  const [first, second] = [await signIn(owner.address), await signIn(owner.address)];
  const { sessionId } = await authenticateWallet(second.cookies, origin);
  await db().update(sessions).set({ expiresAt: new Date() }).where(eq(sessions.address, owner.address));
  const refusalOf = (cookies: string | null) => authenticateWallet(cookies, origin).catch((error: ApiError) => error);
  expect(await refusalOf(first.cookies)).toMatchObject({ code: "unauthorized", reason: "session_expired" });
  await endSession(second.token);
  expect(sessionId).toHaveLength(64);
  const forged = await encode({ token: { sessionToken: "made-up" }, secret: env().nextAuthSecret });
  const words = await Promise.all(
    [second.cookies, `${sessionCookieName()}=${forged}`, `${sessionCookieName()}=x`, null].map(refusalOf),
  );
  expect(words.map((error) => error instanceof ApiError && [error.publicMessage, error.reason])).toEqual(
    words.map(() => ["Sign in with your wallet first (docs/session-api.md).", undefined]),
  );
});

test("another wallet's session is not found, and stays", async () => {
  const [owner, stranger] = [await Owner.create(46630), await Owner.create(46630)];
  const { cookies } = await signIn(owner.address);
  const { sessionId } = await authenticateWallet(cookies, origin);
  const intruder = await authenticateWallet((await signIn(stranger.address)).cookies, origin);
  for (const id of [sessionId, "x", "0".repeat(64)]) {
    await expect(revokeSession(intruder, id)).rejects.toMatchObject({ code: "not_found" });
  }
  await authenticateWallet(cookies, origin);
});

test("anyone who signs in with an agent's wallet has no account: its policy and keys are its owner's to set", async () => {
  const owner = await Owner.create(46630);
  const address = toHex(randomBytes(20));
  const agent = { id: newId("account"), handle: `${owner.account.handle}/bot`, address, type: "agent" as const };
  await db()
    .insert(accounts)
    .values({ ...agent, ownerId: owner.account.id, chainId: 46630, createdAt: new Date() });
  const { cookies } = await signIn(address);
  expect((await authenticateWallet(cookies, origin)).account).toBeNull();
  for (const named of [undefined, agent.id, `@${agent.handle}`]) {
    await expect(authenticateSession(cookies, origin, named)).rejects.toMatchObject({ code: "not_found" });
  }
});

test("a contract wallet's session is for the network whose contract signed: on the other it is none, and not seen", async () => {
  const { address } = await Owner.create(46630);
  const other = { ...origin, network: "live", chainId: 4663 } as const;
  const [here, there] = [await signIn(address, 46630), await signIn(address, 4663)];
  await expect(authenticateWallet(here.cookies, other)).rejects.toMatchObject({ code: "unauthorized" });
  await expect(authenticateWallet(there.cookies, origin)).rejects.toMatchObject({ code: "unauthorized" });
  const [mine, theirs] = [
    await authenticateWallet(here.cookies, origin),
    await authenticateWallet(there.cookies, other),
  ];
  expect((await listSessions(mine)).map(({ id }) => id)).toEqual([mine.sessionId]);
  await expect(revokeSession(mine, theirs.sessionId)).rejects.toMatchObject({ code: "not_found" });
  expect(await authenticateWallet(there.cookies, other)).toMatchObject({ sessionId: theirs.sessionId });
});
