/*
 * The local stack: PostgreSQL, two chains, contracts, web and worker, each replaceable by a real one through the
 * environment (docs/architecture.md). All of its data is in one folder. Nothing that was committed, to the database or
 * to a chain, is lost when any part is killed.
 */
import { readConfig, StackError } from "./stack/config";
import { Stack } from "./stack/stack";

const started = performance.now();
const say = (line: string) => {
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s  ${line}`);
};

// Ignore output errors, such as a closed terminal or a full disk.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

let stopping = false;
let stack: Stack | undefined;

async function stop(status: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  say("stopping");
  await stack?.stop().catch((error) => console.error(error));
  say("stopped; everything is kept for the next start");
  process.exit(status);
}

function fail(error: unknown): void {
  if (!stopping) console.error(error instanceof StackError ? `\n${error.message}\n` : error);
  void stop(1);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

try {
  const config = readConfig();
  stack = new Stack(config, say, fail);
  await stack.start();
  const url = `http://localhost:${config.web.port}`;
  say(`ready: ${url}`);
  console.log(`
What next:
  1. ./halcyon wallet new && ./halcyon signup --handle alice             create a wallet and an account
  2. ./halcyon faucet --amount 1000 && ./halcyon make-available          get test money that API keys can pay with
  3. ./halcyon keys create --label first, then POST ${url}/v1/transfers  (see README.md)

Ctrl-C stops everything.`);
} catch (error) {
  fail(error);
}
