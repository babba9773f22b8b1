import type { PinPlace, PinStore } from "../pins";

const STORE = "pins";

/** Returns the result of an IndexedDB request as a promise. */
function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open("halcyon", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return resultOf(request);
}

/** Pins in this browser's IndexedDB, for this origin. Tabs share them safely: one transaction reads and writes. */
export class BrowserPins implements PinStore {
  private database?: Promise<IDBDatabase>;

  remedy(table: PinPlace[0]): string {
    return table === "handles"
      ? "forget the handle in the settings, under Security"
      : "clear this site's data in your browser to pin afresh";
  }

  async pin(place: PinPlace, value: string): Promise<string> {
    this.database ??= open();
    const store = (await this.database).transaction(STORE, "readwrite").objectStore(STORE);
    const key = [...place];
    const known: unknown = await resultOf(store.get(key));
    if (typeof known === "string") return known;
    await resultOf(store.put(value, key));
    return value;
  }

  async raise(place: PinPlace, value: number): Promise<number> {
    this.database ??= open();
    const store = (await this.database).transaction(STORE, "readwrite").objectStore(STORE);
    const key = [...place];
    const known = Number((await resultOf(store.get(key))) ?? 0);
    if (known >= value) return known;
    await resultOf(store.put(String(value), key));
    return value;
  }

  async peek(place: PinPlace): Promise<string | undefined> {
    this.database ??= open();
    const store = (await this.database).transaction(STORE, "readonly").objectStore(STORE);
    const known: unknown = await resultOf(store.get([...place]));
    return typeof known === "string" ? known : undefined;
  }

  /** Lists the handles pinned under a ledger (`ledgerKey`), with the address of each. */
  async handles(ledger: string): Promise<{ handle: string; address: string }[]> {
    this.database ??= open();
    const store = (await this.database).transaction(STORE, "readonly").objectStore(STORE);
    // In IndexedDB, an array key sorts after every string.
    const range = IDBKeyRange.bound(["handles", ledger], ["handles", ledger, []]);
    const [keys, values] = await Promise.all([resultOf(store.getAllKeys(range)), resultOf(store.getAll(range))]);
    return keys.map((key, at) => ({ handle: (key as string[])[2] as string, address: values[at] as string }));
  }

  /** Removes a handle's pin: the next payment to it pins it again. */
  async forgetHandle(ledger: string, handle: string): Promise<void> {
    this.database ??= open();
    const store = (await this.database).transaction(STORE, "readwrite").objectStore(STORE);
    await resultOf(store.delete(["handles", ledger, handle]));
  }
}
