/*
 * Where the browser stores what a page needs to keep reading after a reload (see reload-copy.ts). Pages import only
 * this module, to delete it.
 */
import type { Address } from "viem";
import type { Network } from "@/lib/base/network";

const DATABASE = "halcyon.reload";
const STORE = "copies";

/** The account that a copy belongs to. */
interface CopyOwner {
  network: Network;
  address: Address;
}

/** One account's viewing key and the balances it was shown last, encrypted twice. */
export interface ReloadRecord {
  owner: CopyOwner;
  /** Milliseconds since 1970. */
  lastInput: number;
  /** The window of the service's share, numbered by the service. */
  window: number;
  /** Not extractable: scripts can use the key but not read it. */
  key: CryptoKey;
  iv: Uint8Array<ArrayBuffer>;
  encrypted: ArrayBuffer;
}

/**
 * How long to wait for the browser's store. Some browsers never respond, and neither a page nor a lock may hang on
 * that.
 */
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

/** Returns the record's key for an account on a network. */
export function copyName({ network, address }: CopyOwner): string {
  return `${network} ${address.toLowerCase()}`;
}

/** Where copies are stored. */
export interface ReloadStore {
  read(owner: CopyOwner): Promise<ReloadRecord | undefined>;
  write(record: ReloadRecord): Promise<void>;
  delete(owner: CopyOwner): Promise<void>;
}

/** This browser's store. Each call is one transaction, so a crash leaves either the old copy or the new one. */
export const browserStore: ReloadStore = {
  read: async (owner) =>
    (await withStore("readonly", (store) => store.get(copyName(owner)))) as ReloadRecord | undefined,
  write: async (record) => {
    await withStore("readwrite", (store) => store.put(record, copyName(record.owner)));
  },
  delete: async (owner) => {
    await withStore("readwrite", (store) => store.delete(copyName(owner)));
  },
};

/** Deletes the copies of all accounts. Failure is ignored: without the session a copy is useless. */
export async function deleteRecords(): Promise<void> {
  await withStore("readwrite", (store) => store.clear()).catch(() => {});
}
