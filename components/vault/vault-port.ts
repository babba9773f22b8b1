import type { FromVault, ToVault, VaultOwner } from "./protocol";

/** A worker that holds a vault, as far as a page needs one. */
export interface VaultPort {
  postMessage(message: ToVault): void;
  /** Lets go of it. One that is this page's alone ends; one that others use goes on. */
  close(): void;
  onmessage: ((event: MessageEvent<FromVault>) => void) | null;
  /** It could not be loaded, or broke. */
  onerror: (() => void) | null;
}

/** Null where the browser has no such workers, or none for this page: some deny them where storage is blocked. */
function sharedWorker(path: string, name: string): SharedWorker | null {
  try {
    return typeof SharedWorker === "undefined" ? null : new SharedWorker(path, { name });
  } catch {
    return null;
  }
}

/**
 * The worker of an account's vault: one for all of its pages in this browser, or this page's own where the browser has no
 * such workers.
 *
 * @param path of its script
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

/** Whether a worker's script can be loaded; resolves once all of it is there, also where it is on its way already. */
export async function scriptLoads(path: string): Promise<boolean> {
  return fetch(path).then(
    async (response) => response.ok && (await response.arrayBuffer()).byteLength > 0,
    () => false,
  );
}

/**
 * Resolves once the worker of that name has ended, also when the browser has killed it, which says nothing to its pages.
 *
 * @returns false at once where the browser has no locks: it may still run
 */
export async function untilEnded(instance: string): Promise<boolean> {
  if (!navigator.locks) return false;
  return navigator.locks.request(instanceLock(instance), () => true);
}

/** Holds the lock of this worker until its end; resolves once it has it, and at once where there are no locks. */
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

/** The Web Lock that a running worker holds until its end. */
function instanceLock(instance: string): string {
  return `halcyon.vault ${instance}`;
}
