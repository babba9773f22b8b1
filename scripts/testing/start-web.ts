import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../stack/config";
import { freePort } from "./free-port";

/** What `npm test` sets for the tests; to the process it would mean services from outside. */
const OF_TESTS = ["DATABASE_URL", "RPC_URL_46630", "RPC_URL_4663", "HALCYON_URL"];

/** A web process beside the product's own, on the same database and chains. */
export interface WebProcess {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts one (see web.ts) and waits until it answers.
 *
 * @param settings environment variables in which it differs from the product's own process
 */
export async function startWeb(settings: Record<string, string>): Promise<WebProcess> {
  const port = await freePort();
  const env: NodeJS.ProcessEnv = { ...process.env, ...settings, WEB_PORT: String(port) };
  for (const name of OF_TESTS) delete env[name];
  const child = spawn(process.execPath, ["scripts/run.mjs", "scripts/testing/web.ts"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://localhost:${port}`;
  for (const end = Date.now() + 60_000; ; await sleep(100)) {
    const up = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) break;
    if (child.exitCode !== null || Date.now() > end) throw new Error("the web process did not start");
  }
  if (child.pid === undefined) throw new Error("the web process did not start");
  return {
    url,
    pid: child.pid,
    async stop() {
      child.kill("SIGTERM");
      await gone;
    },
  };
}
