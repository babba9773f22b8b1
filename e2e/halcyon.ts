import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { BINARY } from "./binary";

const run = promisify(execFile);

/** Whose wallet and key a command uses, and the rest of its environment. */
export interface Caller {
  url: string;
  walletKey?: string;
  apiKey?: string;
  network?: "test" | "live";
  env?: Record<string, string>;
}

/** What a command printed, and how it ended. */
export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

/** Runs the real `halcyon` binary with `--json`, in an environment that contains only what the caller names. */
export async function halcyon(caller: Caller, ...args: string[]): Promise<Ended> {
  const options = ["--json", "--url", caller.url, "--network", caller.network ?? "test"];
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production",
    HALCYON_CONFIG_DIR: process.env.HALCYON_CONFIG_DIR,
    ...(caller.walletKey ? { HALCYON_WALLET_KEY: caller.walletKey } : {}),
    ...(caller.apiKey ? { HALCYON_API_KEY: caller.apiKey } : {}),
    ...caller.env,
  };
  try {
    const { stdout, stderr } = await run(process.execPath, [BINARY, ...args, ...options], {
      cwd: tmpdir(),
      env,
      timeout: 900_000,
      maxBuffer: 1 << 26,
    });
    return { status: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: number; stdout?: string; stderr?: string };
    return { status: typeof code === "number" ? code : -1, stdout: stdout ?? "", stderr: stderr ?? String(error) };
  }
}

/** Runs a command that must succeed. Returns its JSON document. */
export async function ok<T = Record<string, unknown>>(caller: Caller, ...args: string[]): Promise<T> {
  const ended = await halcyon(caller, ...args);
  if (ended.status !== 0) throw new Error(`halcyon ${args[0]} ended with ${ended.status}: ${ended.stderr}`);
  return JSON.parse(ended.stdout) as T;
}
