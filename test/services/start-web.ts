import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "@/scripts/stack/config";
import { NODE_FLAGS } from "@/scripts/stack/node-flags";
import { OUTSIDE_SERVICES } from "@/scripts/stack/outside-services";
import { program } from "@/scripts/stack/program";
import { freePort } from "./free-port";

/** Variables that `npm test` sets for tests. To the process they would mean external services. */
const OF_TESTS = ["HALCYON_URL", ...OUTSIDE_SERVICES];
const START_MS = 180_000;

/** A web process next to the product's own, on the same database and chains. */
export interface WebProcess {
  url: string;
  pid: number;
  /** What it says to the process that started it once its ports are free. */
  draining: Promise<unknown>;
  stop(): Promise<void>;
  /** Kills it with SIGKILL, leaving everything as it is. */
  kill(): Promise<void>;
}

/**
 * Starts a web process (see web.ts) and waits until it responds.
 *
 * @param settings environment variables that differ from the product's own process
 * @param script the script to run; must read the same environment as web.ts
 */
export async function startWeb(
  settings: Record<string, string> = {},
  script = "test/services/web.ts",
): Promise<WebProcess> {
  const port = await freePort();
  // Each prover thread has its own keys and tables, so one is enough for a test.
  const own = { PROVER_WORKERS: "1", SHUTDOWN_NOTICE_SECONDS: "0", ...settings };
  const env: NodeJS.ProcessEnv = { ...process.env, ...own, WEB_PORT: String(port) };
  for (const name of OF_TESTS) delete env[name];
  const child = spawn(process.execPath, [...NODE_FLAGS, await program(script)], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const draining = new Promise<unknown>((resolve) => child.once("message", resolve));
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal);
    await gone;
  };
  const url = `http://localhost:${port}`;
  for (const until = Date.now() + START_MS; Date.now() < until && child.exitCode === null; await sleep(200)) {
    const response = await fetch(`${url}/healthz`).catch(() => null);
    if (response?.ok && child.pid !== undefined)
      return { url, pid: child.pid, draining, stop: end("SIGTERM"), kill: end("SIGKILL") };
  }
  await end("SIGKILL")();
  throw new Error("a further web process did not start; its words are above");
}
