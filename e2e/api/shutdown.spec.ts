import { startWeb } from "@/test/services/start-web";
import { expect, test } from "./fixtures";

test("a stopping process says that it is not ready, serves on, and only then refuses connections", async ({
  alice,
}) => {
  const web = await startWeb({ SHUTDOWN_NOTICE_SECONDS: "300" });
  const get = (path: string) => fetch(web.url + path, { headers: { authorization: `Bearer ${alice.apiKey}` } });
  expect((await get("/readyz")).status).toBe(200);
  process.kill(web.pid, "SIGTERM");
  await expect.poll(async () => (await get("/readyz")).status).toBe(503);
  expect(await (await get("/readyz")).json()).toEqual({
    status: "unavailable",
    parts: { process: { state: "stopping" }, database: { state: "ok" } },
  });
  const response = await get("/v1/accounts/me");
  expect(response.status).toBe(200);
  expect(response.headers.get("connection")).toBe("close");
  // A second signal skips the wait for the load balancer.
  await web.stop();
  expect(await web.draining).toBe("draining");
  await expect(get("/readyz")).rejects.toThrow();
});
