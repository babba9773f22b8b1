import { expect, test } from "vitest";
import { transferPlan } from "@/test/prover/transfer-plan";
import { artifactFiles, repositoryRoot } from "./artifact-files";
import type { ArtifactSource, ProverReply } from "./prover";
import { ProverEngine, repliesOf } from "./prover-engine";

const files = artifactFiles(repositoryRoot());
const others: ArtifactSource = { read: (file) => files.read(file.replace("transfer.vkey", "release.vkey")) };

test("a proof that is to be checked is checked by the circuit's verification key, and no other", async () => {
  const { call, input } = await transferPlan();
  const replies = async (artifacts: ArtifactSource, check: boolean) => {
    const all: ProverReply[] = [];
    const job = { id: 7, kind: "prove" as const, circuit: "transfer" as const, input, check };
    for await (const reply of repliesOf(ProverEngine.build(artifacts), job)) all.push(reply);
    return all;
  };
  const proven = { id: 7, proven: { proof: expect.any(String), publicSignals: call.publicSignals } };
  expect(await replies(files, true)).toEqual([proven, { id: 7, verified: true }]);
  expect(await replies(others, true)).toEqual([proven, { id: 7, verified: false }]);
  expect(await replies(files, false)).toEqual([proven]);
});
