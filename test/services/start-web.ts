import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "@/scripts/stack/config";
import { NODE_FLAGS } from "@/scripts/stack/node-flags";
import { OUTSIDE_SERVICES } from "@/scripts/stack/outside-services";
import { program } from "@/scripts/stack/program";
import { freePort } from "./free-port";

/** What `npm test` sets for the tests; to the process it would mean services from outside. */
const OF_TESTS = ["HALCYON_URL", ...OUTSIDE_SERVICES];
const START_MS = 90_000;

/** A web process beside the product's own, on the same database and chains. */
export interface WebProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
  /** As kill -9: whatever it was doing stays as it is. */
  kill(): Promise<void>;
}

/**
 * Starts one (see web.ts) and waits until it responds.
 *
 * @param settings environment variables in which it differs from the product's own process
 * @param script that runs one; another than web.ts reads the same environment
 */
export async function startWeb(
  settings: Record<string, string> = {},
  script = "test/services/web.ts",
): Promise<WebProcess> {
  const port = await freePort();
  // Each prover thread has keys and tables of its own: one is enough for a test.
  const own = { PROVER_WORKERS: "1", SHUTDOWN_NOTICE_SECONDS: "0", ...settings };
  const env: NodeJS.ProcessEnv = { ...process.env, ...own, WEB_PORT: String(port) };
  for (const name of OF_TESTS) delete env[name];
  const child = spawn(process.execPath, [...NODE_FLAGS, await program(script)], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal);
    await gone;
  };
  const url = `http://localhost:${port}`;
  for (const until = Date.now() + START_MS; Date.now() < until && child.exitCode === null; await sleep(200)) {
    const response = await fetch(`${url}/healthz`).catch(() => null);
    if (response?.ok && child.pid !== undefined)
      return { url, pid: child.pid, stop: end("SIGTERM"), kill: end("SIGKILL") };
  }
  await end("SIGKILL")();
  throw new Error("a further web process did not start; its words are above");
}
