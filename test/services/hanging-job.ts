import { z } from "zod";
import { bindJob, declareJob } from "@/lib/base/scheduler/declare-job";
import { JobRunner } from "@/lib/base/scheduler/job-runner";

// A worker that prints when its job starts and never finishes it. A test kills it.
const job = declareJob({
  name: "test.killed",
  input: z.object({}),
  timeoutMs: 3_600_000,
  retry: { runs: null, firstMs: 1, longestMs: 1 },
});
const hanging = bindJob(job, async () => {
  process.stdout.write("running\n");
  return new Promise<null>(() => {});
});
await new JobRunner([hanging]).look();
setInterval(() => {}, 60_000);
