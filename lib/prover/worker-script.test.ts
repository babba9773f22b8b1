import { expect, test } from "vitest";
import { workerPath, workerScript } from "./worker-script";
import { contentHash } from "./worker-source";

const VAULT = "components/vault/worker.ts";
const get = (path: string, headers: Record<string, string> = {}) =>
  workerScript(VAULT)(new Request(`http://localhost${path}`, { headers }), {
    params: Promise.resolve({ file: path.replace("/vault/", "") }),
  });

test("a worker's script is immutable under the hash of its content, and under no other name", async () => {
  const path = await workerPath(VAULT);
  const named = await get(path);
  expect(named.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(path).toBe(`/vault/${contentHash(await named.text())}-worker.js`);
  // A page of another release gets the current script, uncached.
  const other = await get(`/vault/${"0".repeat(32)}-worker.js`);
  expect(other.headers.get("cache-control")).toBe("no-store");
  const plain = await get("/vault/worker.js");
  expect(plain.headers.get("cache-control")).toBe("no-cache");
  const again = await get("/vault/worker.js", { "if-none-match": plain.headers.get("etag") ?? "" });
  expect(again.status).toBe(304);
  expect((await get("/vault/other.js")).status).toBe(404);
});

test("the vault names the prover of its release, and the prover the circuits of its release", async () => {
  const vault = await (await get("/vault/worker.js")).text();
  const prover = await workerPath("lib/prover/browser-worker.ts");
  expect(vault).toContain(prover);
  const script = await workerScript("lib/prover/browser-worker.ts")(new Request("http://localhost/"), {
    params: Promise.resolve({ file: "worker.js" }),
  });
  expect(await script.text()).toMatch(/"transfer\.zkey":"[0-9a-f]{32}"/);
});
