import { AsyncLocalStorage } from "node:async_hooks";

// Next bundles routes separately: one store per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonAccount?: AsyncLocalStorage<string> };
shared.halcyonAccount ??= new AsyncLocalStorage();
const store = shared.halcyonAccount;

/** Does something for a root account: whatever has to be waited for meanwhile is waited for in that account's turn. */
export function onBehalfOf<T>(rootId: string, work: () => T): T {
  return store.run(rootId, work);
}

/** The root account that something is done for; "" for the service itself and before a caller is known. */
export function currentAccount(): string {
  return store.getStore() ?? "";
}
