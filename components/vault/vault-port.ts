import type { FromVault, ToVault, VaultOwner } from "./protocol";

/** The page's connection to a worker that holds a vault. */
export interface VaultPort {
  postMessage(message: ToVault): void;
  /** Disconnects. A worker of this page alone ends; a shared one continues for the other pages. */
  close(): void;
  onmessage: ((event: MessageEvent<FromVault>) => void) | null;
  /** Called if the worker could not be loaded or crashed. */
  onerror: (() => void) | null;
}

/**
 * Opens a shared worker. Returns null if the browser has none, or denies it to this page, as some do if storage is
 * blocked.
 */
function sharedWorker(path: string, name: string): SharedWorker | null {
  try {
    return typeof SharedWorker === "undefined" ? null : new SharedWorker(path, { name });
  } catch {
    return null;
  }
}

/**
 * Connects to the worker of an account's vault: shared by all of its pages in this browser, or only for this page if
 * the browser has no shared workers.
 *
 * @param path path of the worker's script
 */
export function openVaultPort(path: string, { network, address }: VaultOwner): VaultPort {
  const shared = sharedWorker(path, `vault ${network} ${address.toLowerCase()}`);
  if (!shared) {
    const worker = new Worker(path, { name: "vault" });
    const port: VaultPort = {
      postMessage: (message) => worker.postMessage(message),
      close: () => worker.terminate(),
      onmessage: null,
      onerror: null,
    };
    worker.onmessage = (event: MessageEvent<FromVault>) => port.onmessage?.(event);
    worker.onerror = () => port.onerror?.();
    return port;
  }
  const worker = shared;
  const port: VaultPort = {
    postMessage: (message) => worker.port.postMessage(message),
    close: () => {
      worker.port.postMessage({ kind: "leave" } satisfies ToVault);
      worker.port.close();
    },
    onmessage: null,
    onerror: null,
  };
  worker.port.onmessage = (event: MessageEvent<FromVault>) => port.onmessage?.(event);
  worker.onerror = () => port.onerror?.();
  return port;
}

/** Returns whether a worker's script can be loaded. Resolves once it is complete. */
export async function scriptLoads(path: string): Promise<boolean> {
  return fetch(path).then(
    async (response) => response.ok && (await response.arrayBuffer()).byteLength > 0,
    () => false,
  );
}

/**
 * Resolves once the worker with this id has ended, even if the browser killed it without notifying its pages.
 *
 * @returns false at once if the browser has no Web Locks, in which case it may still be running
 */
export async function untilEnded(instance: string): Promise<boolean> {
  if (!navigator.locks) return false;
  return navigator.locks.request(instanceLock(instance), () => true);
}

/**
 * Holds this worker's lock until the worker ends. Resolves once it has the lock, or at once if there are no Web Locks.
 */
export function holdInstance(instance: string): Promise<void> {
  return new Promise((resolve) => {
    if (!navigator.locks) resolve();
    const held = navigator.locks?.request(instanceLock(instance), () => {
      resolve();
      return new Promise(() => {});
    });
    held?.catch(() => resolve());
  });
}

/** Returns the name of the Web Lock that a running worker holds. */
function instanceLock(instance: string): string {
  return `halcyon.vault ${instance}`;
}
