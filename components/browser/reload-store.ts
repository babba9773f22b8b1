/*
 * Where the browser keeps what lets a page read on after a reload (reload-copy.ts says what that is). Pages import this
 * alone, to take it away.
 */
import type { Address } from "viem";
import type { Network } from "@/lib/network";

const DATABASE = "halcyon.reload";
const STORE = "copies";

/** Whose copy. */
export interface CopyOwner {
  network: Network;
  address: Address;
}

/** One account's viewing key, encrypted twice. */
export interface ReloadRecord {
  owner: CopyOwner;
  /** Milliseconds of `Date.now`. */
  lastInput: number;
  /** Of the share; the service's own count. */
  window: number;
  /** Scripts can use it, and not read it. */
  key: CryptoKey;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

/** Some browsers have left requests of their store unanswered: no page waits for them, and no lock. */
const PATIENCE_MS = 3_000;

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("The browser's store does not respond.")), PATIENCE_MS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  const database = await resultOf(request);
  try {
    const transaction = database.transaction(STORE, mode);
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    const result = await resultOf(use(transaction.objectStore(STORE)));
    await done;
    return result;
  } finally {
    database.close();
  }
}

/** Names an account on a network. */
export function nameOf({ network, address }: CopyOwner): string {
  return `${network} ${address.toLowerCase()}`;
}

/** Where the copies are. */
export interface ReloadStore {
  read(owner: CopyOwner): Promise<ReloadRecord | undefined>;
  write(record: ReloadRecord): Promise<void>;
  delete(owner: CopyOwner): Promise<void>;
}

/** This browser's: a transaction each, so that a crash leaves the copy as it was or as it is to be. */
export const browserStore: ReloadStore = {
  read: async (owner) => (await withStore("readonly", (store) => store.get(nameOf(owner)))) as ReloadRecord | undefined,
  write: async (record) => {
    await withStore("readwrite", (store) => store.put(record, nameOf(record.owner)));
  },
  delete: async (owner) => {
    await withStore("readwrite", (store) => store.delete(nameOf(owner)));
  },
};

/** Takes away what any account may read after a reload. What cannot be reached is of no use without the session. */
export async function deleteRecords(): Promise<void> {
  await withStore("readwrite", (store) => store.clear()).catch(() => {});
}
