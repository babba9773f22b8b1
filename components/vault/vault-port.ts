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

/**
 * The worker of an account's vault: one for all of its pages in this browser, or this page's own where the browser has no
 * such workers.
 *
 * @param path of its script
 */
export function openVaultPort(path: string, { network, address }: VaultOwner): VaultPort {
  if (typeof SharedWorker === "undefined") {
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
  const worker = new SharedWorker(path, { name: `vault ${network} ${address.toLowerCase()}` });
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

/** Resolves once the worker of that name has ended; at once where the browser does not say. */
export async function untilEnded(instance: string): Promise<void> {
  await navigator.locks?.request(instanceLock(instance), () => {});
}

/** The Web Lock that a running worker holds until its end. */
export function instanceLock(instance: string): string {
  return `halcyon.vault ${instance}`;
}
