import { expect, test } from "vitest";
import { repositoryRoot } from "@/lib/prover/artifact-files";
import { browserWorkerSource } from "@/lib/prover/worker-source";

test("the vault's worker is one script that needs nothing of Node and loads no other script", async () => {
  const source = await browserWorkerSource(repositoryRoot(), "components/vault/worker.ts");
  expect([...source.matchAll(/\brequire\(|importScripts\(|["']node:\w+/g)].map(String)).toEqual([]);
  expect(source.includes("/prover/worker.js")).toBe(true);
});
