import { execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ROOT } from "@/scripts/stack/config";
import { endLeftovers } from "@/scripts/stack/processes";
import { freePort } from "@/test/services/free-port";
import { median, round } from "./measure";

const ROUNDS = 15;
const STARTS = 3;
const execute = promisify(execFile);

/**
 * Measures what people wait for before anything happens: the command line's help, against an empty Node process in
 * alternation, and `npm start` on existing data until everything serves. In seconds.
 */
export async function run(): Promise<Record<string, unknown>> {
  const commands = { empty_node: ["-e", ""], help: [path.join(ROOT, "sdk/bin/halcyon.mjs"), "--help"] };
  const times: Record<keyof typeof commands, number[]> = { empty_node: [], help: [] };
  for (let turn = 0; turn <= ROUNDS; turn++) {
    for (const name of ["empty_node", "help"] as const) {
      const seconds = await timed(() => execute(process.execPath, commands[name]));
      // The first run fills the disk caches.
      if (turn > 0) times[name].push(seconds);
    }
  }
  const starts = await secondStarts();
  return {
    empty_node_s: round(median(times.empty_node)),
    help_s: round(median(times.help)),
    second_start_s: round(median(starts)),
    starts: starts.map(round),
    goals: { help_s: "<= 0.35", second_start_s: "<= 4" },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Starts the product once on empty data without counting it, and then repeatedly on the data it left. */
async function secondStarts(): Promise<number[]> {
  const data = path.join(ROOT, ".halcyon-bench-start");
  await endLeftovers(data);
  rmSync(data, { recursive: true, force: true });
  const env: NodeJS.ProcessEnv = { ...process.env, HALCYON_DATA: data, PORT: String(await freePort()) };
  for (const name of ["PG_PORT", "RPC_PORT_46630", "RPC_PORT_4663", "METRICS_PORT"]) {
    env[`HALCYON_${name}`] = String(await freePort());
  }
  const times: number[] = [];
  try {
    for (let turn = 0; turn <= STARTS; turn++) {
      const seconds = await startAndStop(env);
      if (turn > 0) times.push(seconds);
    }
  } finally {
    await endLeftovers(data);
    rmSync(data, { recursive: true, force: true });
  }
  return times;
}

/** Returns the seconds from `npm start` until it prints that everything serves; then stops it. */
async function startAndStop(env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [path.join(ROOT, "scripts/start.mjs")], {
    cwd: ROOT,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const seconds = await timed(() =>
    Promise.race([
      new Promise<void>((resolve) => {
        child.stdout.on("data", (chunk: Buffer) => chunk.includes("Ctrl-C stops everything.") && resolve());
      }),
      gone.then(() => {
        throw new Error("the product did not start; its words are above");
      }),
    ]),
  );
  child.kill("SIGTERM");
  await gone;
  return seconds;
}
