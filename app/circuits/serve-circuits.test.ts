import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { CIRCUIT_FILES, contentHash } from "@/lib/prover/worker-source";
import { GET } from "./[file]/route";

const root = mkdtempSync(path.join(tmpdir(), "circuits-"));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

test("an address with a wrong hash is refused without reading the file again", async () => {
  vi.stubEnv("HALCYON_ROOT", root);
  const [name = ""] = CIRCUIT_FILES;
  const folder = path.join(root, "circuits/artifacts");
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), "a key");
  const get = (file: string) => GET(new Request("https://pay.test/"), { params: Promise.resolve({ file }) });
  const right = `${contentHash(Buffer.from("a key"))}-${name}`;
  const wrong = `${"0".repeat(32)}-${name}`;
  expect((await get(wrong)).status).toBe(404);
  expect(await (await get(right)).text()).toBe("a key");
  rmSync(folder, { recursive: true });
  expect((await get(wrong)).status).toBe(404);
  await expect(get(right)).rejects.toThrow("ENOENT");
});
