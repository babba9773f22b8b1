import { type ChildProcess, spawn } from "node:child_process";
import { expect, test } from "vitest";
import { endOf } from "./end-of";

/** Starts Node with a program, and waits until it says that it runs. */
async function running(program: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", `${program}; console.log("runs")`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child;
}

test("a process that ends says how", async () => {
  const child = await running("process.on('SIGTERM', () => process.exit(3)); setInterval(() => {}, 1_000)");
  child.kill("SIGTERM");
  expect(await endOf(child, "web")).toBe(3);
});

test("a process that does not end is killed after so many looks, and not taken for one that ended", async () => {
  const child = await running("process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000)");
  child.kill("SIGTERM");
  expect(await endOf(child, "the old worker", 3)).toBe(
    "SIGKILL, because the old worker still ran when it had been looked at 3 times",
  );
  expect(child.signalCode).toBe("SIGKILL");
});
