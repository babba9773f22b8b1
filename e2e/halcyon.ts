import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { commandLine } from "@/test/sdk/command-line";
import { BINARY } from "./binary";

/** Whose wallet and key a command uses, and the rest of its environment. */
export interface Caller {
  url: string;
  walletKey?: string;
  apiKey?: string;
  network?: "test" | "live";
  env?: Record<string, string>;
}

/** How a program or a command ended, and what it printed. */
export interface Run {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end. Calls `started` with its process id. */
export function run(program: string, args: string[], env = process.env, started?: (pid: number) => void) {
  return new Promise<Run>((resolve, reject) => {
    // As someone else's program would: from outside of any clone.
    const child = spawn(program, args, { cwd: tmpdir(), env, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
    if (child.pid) started?.(child.pid);
  });
}

/** Runs the real binary to its end, in a process of its own and exactly this environment. */
export function runBinary(args: string[], env: NodeJS.ProcessEnv, started?: (pid: number) => void): Promise<Run> {
  return run(process.execPath, [BINARY, ...args], env, started);
}

/** What Node reads when it starts. */
const OF_NODE = ["NODE_OPTIONS", "NODE_EXTRA_CA_CERTS"];

/**
 * Runs a command in exactly this environment. It runs in this process, because hundreds of processes cost more than
 * what their commands do; except where the installed package is tested, or Node itself has to start otherwise.
 */
export async function runCommand(args: string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const starts = OF_NODE.some((name) => env[name] !== undefined && env[name] !== process.env[name]);
  if (starts || process.env.HALCYON_TEST_BINARY) return runBinary(args, env);
  const { status, out, err } = await commandLine(args, env);
  return { status, stdout: out, stderr: err };
}

/** Runs `halcyon` with `--json`, in an environment that contains only what the caller names. */
export function halcyon(caller: Caller, ...args: string[]): Promise<Run> {
  const options = ["--json", "--url", caller.url, "--network", caller.network ?? "test"];
  return runCommand([...args, ...options], {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production",
    HALCYON_CONFIG_DIR: process.env.HALCYON_CONFIG_DIR,
    ...(caller.walletKey ? { HALCYON_WALLET_KEY: caller.walletKey } : {}),
    ...(caller.apiKey ? { HALCYON_API_KEY: caller.apiKey } : {}),
    ...caller.env,
  });
}

/** Runs a command that must succeed. Returns its JSON document. */
export async function ok<T = Record<string, unknown>>(caller: Caller, ...args: string[]): Promise<T> {
  const ended = await halcyon(caller, ...args);
  if (ended.status !== 0) throw new Error(`halcyon ${args[0]} ended with ${ended.status}: ${ended.stderr}`);
  return JSON.parse(ended.stdout) as T;
}
