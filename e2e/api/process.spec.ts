import { readConfig } from "@/scripts/stack/config";
import { LateService } from "@/test/services/late-service";
import { startWeb, type WebProcess } from "@/test/services/start-web";
import { expect, openStream, type Party, productURL, targets, test } from "./fixtures";
import { onceWithKey } from "./http";

/** A process whose database is there first, and then its node. */
let web: WebProcess;
let database: LateService;
let node: LateService;

test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  [database, node] = [await LateService.create(), await LateService.create()];
  const through = { DATABASE_URL: database.port, RPC_URL_46630: node.port };
  web = await startWeb({ THROUGH: JSON.stringify(through), SHUTDOWN_NOTICE_SECONDS: "300" });
});
test.afterAll(async () => {
  await web?.kill();
  database?.close();
  node?.close();
});

const UNAVAILABLE = {
  status: 503,
  headers: { "retry-after": expect.stringMatching(/^[1-9]\d*$/) },
  json: { error: { code: "unavailable" } },
};

test("a process started without its database returns 503 with Retry-After, and serves once there is one", async ({
  alice,
}) => {
  const call = onceWithKey(web.url, alice.apiKey);
  const readyz = async () => (await fetch(`${web.url}/readyz`)).status;
  expect(await readyz()).toBe(503);
  expect(await call("GET", "/v1/accounts/me")).toMatchObject(UNAVAILABLE);
  await database.open(readConfig().postgres.port);
  await expect.poll(readyz).toBe(200);
  expect(await call("GET", "/v1/accounts/me")).toMatchObject({ status: 200 });
});

test("a process started without its node serves what needs none, rejects payments with 503, and pays once when it is there", async ({
  alice,
  bob,
}) => {
  const call = onceWithKey(web.url, alice.apiKey);
  expect((await fetch(`${web.url}/readyz`)).status).toBe(200);
  expect(await call("GET", "/v1/transfers")).toMatchObject({ status: 200 });
  const headers = { "idempotency-key": `late-${web.pid}` };
  const pay = () => call("POST", "/v1/transfers", { to: bob.handle, amount: "1.25" }, headers);
  expect(await pay()).toMatchObject(UNAVAILABLE);
  const units = async () => Math.round(Number((await bob.client.balances.decrypt()).total) * 1e6);
  const before = await units();
  await node.open(readConfig().chains[46630].port);
  await expect.poll(async () => (await pay()).status).toBe(201);
  expect((await pay()).headers["idempotent-replayed"]).toBe("true");
  await expect.poll(async () => (await units()) - before).toBe(1_250_000);
});

const newKey = async ({ client }: Party) => (await client.keys.create({ label: "stream" })).key_id;

test("with two servers a change on one reaches clients of the other", async ({ alice }) => {
  const stream = await openStream(alice, web.url);
  const created = await newKey(alice);
  await expect.poll(() => targets(stream, "key.created")).toContain(created);
  stream.close();
});

test("a stopping process says that it is not ready, serves on, and only then refuses connections; its streams end, and continue at another without a gap", async ({
  alice,
}) => {
  const get = (path: string) => fetch(web.url + path, { headers: { authorization: `Bearer ${alice.apiKey}` } });
  expect((await get("/readyz")).status).toBe(200);
  const stream = await openStream(alice, web.url);
  process.kill(web.pid, "SIGTERM");
  await expect.poll(async () => (await get("/readyz")).status).toBe(503);
  expect(await (await get("/readyz")).json()).toEqual({
    status: "unavailable",
    parts: { process: { state: "stopping" }, database: { state: "ok" } },
  });
  const response = await get("/v1/accounts/me");
  expect(response.status).toBe(200);
  expect(response.headers.get("connection")).toBe("close");
  // A second signal skips the wait for the load balancer. The process doesn't wait for a stream's client.
  const stopped = web.stop();
  await expect.poll(() => stream.ended).toBe(true);
  const missed = await newKey(alice);
  const again = await openStream(alice, productURL, stream.last);
  await expect.poll(() => targets(again, "key.created")).toEqual([missed]);
  again.close();
  await stopped;
  expect(await web.draining).toBe("draining");
  await expect(get("/readyz")).rejects.toThrow();
});
