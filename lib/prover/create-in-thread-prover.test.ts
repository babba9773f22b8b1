import { expect, test } from "vitest";
import { transferPlan } from "@/test/prover/transfer-plan";
import { artifactFiles, repositoryRoot } from "./artifact-files";
import { createInThreadProver } from "./create-in-thread-prover";

test("what is loaded ahead is read once, and proves", async () => {
  const files = artifactFiles(repositoryRoot());
  const read: string[] = [];
  const prover = createInThreadProver({
    read: (file) => {
      read.push(file);
      return files.read(file);
    },
  });
  await prover.loadAhead?.("transfer");
  const { call, input } = await transferPlan();
  const { proof, publicSignals } = await prover.prove("transfer", input);
  expect(publicSignals).toEqual(call.publicSignals);
  expect(read.sort()).toEqual(["transfer.witness", "transfer.zkey"]);
  expect(await prover.verify("transfer", proof, publicSignals)).toBe(true);
  await prover.close();
});
