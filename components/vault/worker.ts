/*
 * The vault: a worker that runs the SDK for the signed-in wallet and holds the account's keys in memory. All pages of
 * the account in this browser share it (a SharedWorker), or each page has its own if the browser has no shared workers.
 * Nothing outside can read the keys.
 */

import { hearTabs } from "@/components/api/browser/tabs";
import { createBrowserProver } from "@/lib/prover/create-browser-prover";
import type { Prover } from "@/lib/prover/prover";
import { HalcyonError } from "@/sdk/api/errors";
import { KeyStore, noProver } from "./key-store";
import { PageSession } from "./page-session";
import type { FromVault, ToVault } from "./protocol";
import { holdInstance } from "./vault-port";

/** Paths of this release's prover and of the vault's later methods, inserted at build time. */
declare const PROVER_PATH: string;
declare const LATER_PATH: string;

/** The channel between a page and the worker. */
interface Channel {
  postMessage(message: FromVault): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToVault>) => void): void;
  start?(): void;
}

/** The worker's global scope. TypeScript's DOM types describe a window's. */
interface WorkerScope extends Channel {
  location: { origin: string };
  close(): void;
  importScripts(path: string): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToVault>) => void): void;
  addEventListener(type: "connect", listener: (event: MessageEvent & { ports: readonly Channel[] }) => void): void;
  /** Set by the prover's script once it is loaded into a shared worker. */
  halcyonProver?: () => Prover;
}
const scope = globalThis as unknown as WorkerScope;
const shared = "onconnect" in globalThis;

/** Pauses between tries to load a script, in milliseconds. Short, because amounts can't be read without it. */
const PAUSES_MS = [500, 2_000];

/** Fetches a script completely. Returns its status, or 0 without a response. */
async function load(path: string): Promise<number> {
  try {
    const response = await fetch(path);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Runs a script in this worker. Fetches it first, because `importScripts` blocks the worker. */
async function runScript(path: string): Promise<void> {
  let status = await load(path);
  for (const pause of PAUSES_MS) {
    if (status === 200 || status === 404) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
    status = await load(path);
  }
  if (status === 404) throw new HalcyonError("unavailable", "Halcyon has a new version. Reload the page.");
  if (status !== 200) {
    const message = "A part of the program could not be loaded. Check your connection and try again.";
    throw new HalcyonError("unavailable", message);
  }
  scope.importScripts(path);
}

const keeper = new KeyStore({
  origin: scope.location.origin,
  close: () => scope.close(),
  loadProver: async () => {
    // A shared worker can't create workers, so it proves in its own thread.
    if (!shared) return createBrowserProver(() => new Worker(PROVER_PATH, { name: "prover" }));
    if (!scope.halcyonProver) await runScript(PROVER_PATH);
    return scope.halcyonProver?.() ?? noProver();
  },
  loadMethods: async () => {
    await runScript(LATER_PATH);
    return (await import("./methods/methods")).laterMethods;
  },
});

hearTabs((message) => keeper.hear(message));

// Pages must not learn this worker's id before it has its lock: a page that waits for the lock would consider it ended.
const held = holdInstance(keeper.instance);

function attend(channel: Channel): void {
  const desk = new PageSession(keeper, (message) => channel.postMessage(message));
  channel.addEventListener("message", ({ data }) => void held.then(() => desk.hear(data)));
  channel.start?.();
}

if (shared) scope.addEventListener("connect", ({ ports: [channel] }) => channel && attend(channel));
else attend(scope);
