import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { freePort } from "@/test/services/free-port";
import { removeFolder } from "./files";
import { sleep } from "./processes";
import { Service } from "./service";

/** A web process that drains as server.ts does: it frees its port, says so, and ends after its last response. */
const WEB = `
import { createServer } from "node:http";
const open = [];
const server = createServer((request, response) => {
  if (request.url === "/slow") open.push(response.writeHead(200)), response.write(String(process.pid));
  else response.end(String(process.pid));
});
server.listen(Number(process.env.PORT), "127.0.0.1");
process.on("SIGTERM", () => {
  server.close(() => process.exit(0));
  process.send("draining", () => {});
});
process.on("SIGUSR2", () => { for (const response of open) response.end(" done"); });
`;

test("the next web process serves while the one before it still drains, and both end with the service", async () => {
  const data = mkdtempSync(path.join(tmpdir(), "halcyon-service-"));
  const script = path.join(data, "web.mjs");
  writeFileSync(script, WEB);
  const url = `http://127.0.0.1:${await freePort()}`;
  const given: string[] = [];
  const service = new Service({
    name: "web",
    script,
    data,
    env: { PORT: new URL(url).port },
    say: (line) => given.push(line),
    onGivenUp: (error) => given.push(error.message),
  });
  const pidOf = async () => {
    const response = await fetch(url, { headers: { connection: "close" } }).catch(() => undefined);
    return response && Number(await response.text());
  };
  const another = async (before = 0) => {
    for (;;) {
      const pid = await pidOf();
      if (pid && pid !== before) return pid;
      await sleep(20);
    }
  };
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  service.start();
  try {
    const first = await another();
    const slow = await fetch(`${url}/slow`);
    process.kill(first, "SIGTERM");
    const second = await another(first);
    expect(isAlive(first)).toBe(true);
    process.kill(first, "SIGUSR2");
    expect(await slow.text()).toBe(`${first} done`);
    await expect.poll(() => isAlive(first)).toBe(false);
    expect(await pidOf()).toBe(second);
    // Its end starts no third one.
    expect(given).toEqual(["web stopped (draining); starting it again"]);
  } finally {
    await service.stop();
    removeFolder(data);
  }
  expect(await pidOf()).toBeUndefined();
});
