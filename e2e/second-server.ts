import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
/** The running product says where these are; given from outside they would mean another one. */
const FOUND = ["DATABASE_URL", "RPC_URL_46630", "RPC_URL_4663", "LEDGER_ADDRESS_46630", "LEDGER_ADDRESS_4663"];

/** A further web server process on the running product's database and chains. */
export interface SecondServer {
  url: string;
  stop(): Promise<void>;
  /** As kill -9: whatever it was doing stays as it is. */
  kill(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts one, with settings of its own on top of the product's, and waits until it answers.
 *
 * @param settings environment variables, as `APPROVAL_WINDOW_SECONDS`
 */
export async function startSecondServer(settings: Record<string, string> = {}): Promise<SecondServer> {
  const port = await freePort();
  const env: NodeJS.ProcessEnv = { ...process.env, ...settings, SECOND_PORT: String(port) };
  for (const name of FOUND) delete env[name];
  const script = path.join(ROOT, "scripts/testing/second-server.ts");
  const child = spawn(process.execPath, ["--import", TSX, script], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal);
    await gone;
  };
  const [stop, kill] = [end("SIGTERM"), end("SIGKILL")];
  for (const until = Date.now() + 60_000; Date.now() < until && child.exitCode === null; await sleep(200)) {
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    if (answer?.ok) return { url, stop, kill };
  }
  await stop();
  throw new Error("the second server does not answer");
}
