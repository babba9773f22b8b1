import { expect, test } from "vitest";
import { repositoryRoot } from "@/lib/prover/artifact-files";
import { browserWorkerFile } from "@/lib/prover/worker-source";

test("the vault's worker is one script that needs nothing of Node and loads no other script, and starts the prover of its release", async () => {
  const { source } = await browserWorkerFile(repositoryRoot(), "components/vault/worker.ts");
  expect([...source.matchAll(/\brequire\(|importScripts\(|["']node:\w+/g)].map(String)).toEqual([]);
  const prover = await browserWorkerFile(repositoryRoot(), "lib/prover/browser-worker.ts");
  expect(prover.path).toMatch(/^\/prover\/[0-9a-f]{32}-worker\.js$/);
  expect(source).toContain(prover.path);
});
