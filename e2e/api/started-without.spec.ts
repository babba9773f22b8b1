import { readConfig } from "@/scripts/stack/config";
import { LateService } from "@/test/services/late-service";
import { startWeb } from "@/test/services/start-web";
import { expect, test } from "./fixtures";
import { onceWithKey } from "./http";

const UNAVAILABLE = {
  status: 503,
  headers: { "retry-after": expect.stringMatching(/^[1-9]\d*$/) },
  json: { error: { code: "unavailable" } },
};

test("a process started without its database returns 503 with Retry-After, and serves once there is one", async ({
  alice,
}) => {
  const database = await LateService.create();
  const web = await startWeb({ THROUGH: JSON.stringify({ DATABASE_URL: database.port }) });
  try {
    const call = onceWithKey(web.url, alice.apiKey);
    const readyz = async () => (await fetch(`${web.url}/readyz`)).status;
    expect(await readyz()).toBe(503);
    expect(await call("GET", "/v1/accounts/me")).toMatchObject(UNAVAILABLE);
    await database.open(readConfig().postgres.port);
    await expect.poll(readyz).toBe(200);
    expect(await call("GET", "/v1/accounts/me")).toMatchObject({ status: 200 });
  } finally {
    await web.stop();
    database.close();
  }
});

test("a process started without its node serves what needs none, rejects payments with 503, and pays once when it is there", async ({
  alice,
  bob,
}) => {
  const node = await LateService.create();
  const web = await startWeb({ THROUGH: JSON.stringify({ RPC_URL_46630: node.port }) });
  try {
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
  } finally {
    await web.stop();
    node.close();
  }
});
