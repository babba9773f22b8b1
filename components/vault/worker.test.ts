import { expect, test } from "vitest";
import { repositoryRoot } from "@/lib/prover/artifact-files";
import { browserWorkerFile } from "@/lib/prover/worker-source";

test("the vault's worker is one script that needs nothing of Node and loads no other script than the prover of its release", async () => {
  const { source } = await browserWorkerFile(repositoryRoot(), "components/vault/worker.ts");
  expect([...source.matchAll(/\brequire\(|["']node:\w+/g)].map(String)).toEqual([]);
  const prover = await browserWorkerFile(repositoryRoot(), "lib/prover/browser-worker.ts");
  expect([...source.matchAll(/importScripts\(([^)]*)\)/g)].map(([, what]) => what)).toEqual([`"${prover.path}"`]);
});
