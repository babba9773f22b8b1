/*
 * The vault: a worker that runs the SDK for the signed-in wallet and holds the keys of its account in memory, for all of
 * the account's pages in this browser (a SharedWorker), or for one page where the browser has no such workers. Nothing
 * outside of it can read them.
 */

import { hearTabs } from "@/components/browser/tabs";
import { createBrowserProver } from "@/lib/prover/create-browser-prover";
import type { Prover } from "@/lib/prover/prover";
import { Desk } from "./desk";
import { Keeper, noProver } from "./keeper";
import type { FromVault, ToVault } from "./protocol";
import { holdInstance } from "./vault-port";

/** Where the prover of this release is; put in when this is built. */
declare const PROVER_PATH: string;

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

const keeper = new Keeper({
  origin: scope.location.origin,
  close: () => scope.close(),
  loadProver: async () => {
    // A shared worker has no workers of its own: it proves in its own thread.
    if (!shared) return createBrowserProver(() => new Worker(PROVER_PATH, { name: "prover" }));
    if (!scope.halcyonProver) scope.importScripts(PROVER_PATH);
    return scope.halcyonProver?.() ?? noProver();
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
