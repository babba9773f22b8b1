import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { apiRequests } from "@/db/schema/api-requests";
import { idAt, idTime, newId } from "@/lib/base/ids";
import { REQUEST_LOG_DAYS } from "@/lib/base/request-log-limits";
import { type CurrentRequest, withRequest } from "@/lib/base/telemetry/current-request";
import { authenticateKey } from "@/lib/http/auth/authenticate-key";
import { mcpResource } from "@/lib/http/connections/resource";
import { generateApiKey } from "@/lib/ledger/encrypted/api-key";
import { cleanUp } from "@/lib/worker/clean-up";
import { createApiKey } from "@/test/accounts/api-key";
import { Owner } from "@/test/accounts/owner";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { flushRequests } from "./flush-requests";
import { listRequests } from "./list-requests";
import { recordRequest } from "./record-request";
import { removeOldRequests } from "./remove-old-requests";
import { toRequestList } from "./request-resource";
import type { LoggedRequest } from "./unwritten-requests";

const CHAIN = 46630;
const PAGE = { limit: 10, offset: 0 };
let services: WorkingServices;
let owner: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  owner = await Owner.create(CHAIN);
});
afterAll(() => services?.stop());

const request = (more: Partial<LoggedRequest> = {}): LoggedRequest => ({
  id: newId("request"),
  rootId: owner.account.rootId,
  chainId: CHAIN,
  keyId: newId("key"),
  method: "GET",
  route: "/v1/transfers/{transfer_id}",
  status: 200,
  errorCode: null,
  durationMs: 4,
  ...more,
});

test("an owner reads the requests of the account on the network, newest first and by outcome, method and key", async () => {
  const first = request();
  const refused = request({ method: "POST", route: "/v1/transfers", status: 402, errorCode: "insufficient_balance" });
  const failed = request({ status: 503, errorCode: "unavailable" });
  const others = [request({ rootId: newId("account") }), request({ chainId: 4663 })];
  for (const one of [first, refused, failed, ...others]) recordRequest(one);
  await flushRequests();
  const idsOf = async (query: object = {}) =>
    (await listRequests(owner.session, { ...PAGE, ...query })).rows.map(({ id }) => id);
  expect(await idsOf()).toEqual([failed, refused, first].map(({ id }) => id));
  expect(await idsOf({ outcome: "succeeded" })).toEqual([first.id]);
  expect(await idsOf({ outcome: "refused" })).toEqual([refused.id]);
  expect(await idsOf({ outcome: "failed" })).toEqual([failed.id]);
  expect(await idsOf({ method: "POST" })).toEqual([refused.id]);
  expect(await idsOf({ key: first.keyId })).toEqual([first.id]);
  expect(toRequestList(await listRequests(owner.session, { ...PAGE, limit: 1, starting_after: failed.id }))).toEqual({
    requests: [
      {
        request_id: refused.id,
        created_at: new Date(idTime("request", refused.id)).toISOString(),
        key_id: refused.keyId,
        key_label: null,
        method: "POST",
        route: "/v1/transfers",
        status: 402,
        error_code: "insufficient_balance",
        duration_ms: 4,
      },
    ],
    limit: 1,
    offset: 0,
    has_more: true,
  });
});

test("a request that its own key can't make is its owner's; one with a key that no one has is no one's", async () => {
  const key = await createApiKey(owner);
  const sender = { requestId: newId("request"), clientAddress: null };
  const callerOf = async (text: string) => {
    const known: CurrentRequest = {};
    const elsewhere = mcpResource("test");
    const asked = withRequest(known, () => authenticateKey(`Bearer ${text}`, sender, "nothing", new Date(), elsewhere));
    await expect(asked).rejects.toMatchObject({ code: "unauthorized" });
    return known.caller;
  };
  expect(await callerOf(key.text)).toEqual({ rootId: owner.account.rootId, chainId: CHAIN, keyId: key.id });
  expect(await callerOf(generateApiKey(CHAIN))).toBeUndefined();
});

test("requests are neither listed nor kept after a week", async () => {
  const old =
    idAt("request", Date.now() - (REQUEST_LOG_DAYS + 1) * 86_400_000) + randomBytes(8).toString("hex").toUpperCase();
  recordRequest(request({ id: old }));
  await flushRequests();
  const { rows } = await listRequests(owner.session, { ...PAGE, limit: 100 });
  expect(rows.map(({ id }) => id)).not.toContain(old);
  const there = () => db().$count(apiRequests, eq(apiRequests.id, old));
  expect(await there()).toBe(1);
  await cleanUp();
  expect(await there()).toBe(0);
});

test("of a busy account the newest requests stay, and of the others all", async () => {
  const [busy, calm] = [newId("account"), newId("account")];
  const ids = (rootId: string, count: number, chainId: LoggedRequest["chainId"] = CHAIN) => {
    const created = Array.from({ length: count }, () => request({ rootId, chainId }));
    for (const one of created) recordRequest(one);
    return created.map(({ id }) => id);
  };
  const [onTest, onLive, few] = [ids(busy, 5), ids(busy, 3, 4663), ids(calm, 2)];
  await flushRequests();
  await removeOldRequests(new Date(), 3);
  const kept = async (rootId: string) =>
    (await db().select({ id: apiRequests.id }).from(apiRequests).where(eq(apiRequests.rootId, rootId)))
      .map(({ id }) => id)
      .sort();
  expect(await kept(busy)).toEqual([...onTest.slice(2), ...onLive].sort());
  expect(await kept(calm)).toEqual(few.sort());
});
