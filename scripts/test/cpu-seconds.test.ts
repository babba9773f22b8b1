import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { cpuSeconds } from "./cpu-seconds";

test.runIf(process.platform === "linux")("CPU time counts what a process that has ended took", () => {
  const before = cpuSeconds() ?? 0;
  spawnSync(process.execPath, ["-e", "while (process.cpuUsage().user < 300_000);"]);
  expect((cpuSeconds() ?? 0) - before).toBeGreaterThanOrEqual(0.28);
});
