/*
 * The vault: a worker that runs the SDK for the signed-in wallet and holds the keys of its account in memory, for all of
 * the account's pages in this browser (a SharedWorker), or for one page where the browser has no such workers. Nothing
 * outside of it can read them.
 */

import { hearTabs } from "@/components/browser/tabs";
import { createBrowserProver } from "@/lib/prover/create-browser-prover";
import type { Prover } from "@/lib/prover/prover";
import { HalcyonError } from "@/sdk/api/errors";
import { Desk } from "./desk";
import { Keeper, noProver } from "./keeper";
import type { FromVault, ToVault } from "./protocol";
import { holdInstance } from "./vault-port";

/** Where the prover of this release is, and the vault's own later methods; put in when this is built. */
declare const PROVER_PATH: string;
declare const LATER_PATH: string;

/** What pages and worker talk over. */
interface Channel {
  postMessage(message: FromVault): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToVault>) => void): void;
  start?(): void;
}

/** What a worker's global scope offers; the DOM's types describe a window's. */
interface WorkerScope extends Channel {
  location: { origin: string };
  close(): void;
  importScripts(path: string): void;
  addEventListener(type: "message", listener: (event: MessageEvent<ToVault>) => void): void;
  addEventListener(type: "connect", listener: (event: MessageEvent & { ports: readonly Channel[] }) => void): void;
  /** Of the prover's script, once it is loaded into a shared worker. */
  halcyonProver?: () => Prover;
}
const scope = globalThis as unknown as WorkerScope;
const shared = "onconnect" in globalThis;

/** Pauses between tries to load a script: what is not there yet keeps amounts from being read. */
const PAUSES_MS = [500, 2_000];

/** The status of a script once all of it is there; 0 without a response. */
async function load(path: string): Promise<number> {
  try {
    const response = await fetch(path);
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** Runs a script here. It is loaded beforehand, for the worker does nothing else while `importScripts` waits. */
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

const keeper = new Keeper({
  origin: scope.location.origin,
  close: () => scope.close(),
  loadProver: async () => {
    // A shared worker has no workers of its own: it proves in its own thread.
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

// No page hears its name before it has its lock: who waits for that lock would take it for ended.
const held = holdInstance(keeper.instance);

function attend(channel: Channel): void {
  const desk = new Desk(keeper, (message) => channel.postMessage(message));
  channel.addEventListener("message", ({ data }) => void held.then(() => desk.hear(data)));
  channel.start?.();
}

if (shared) scope.addEventListener("connect", ({ ports: [channel] }) => channel && attend(channel));
else attend(scope);
