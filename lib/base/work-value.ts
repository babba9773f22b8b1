import { AsyncLocalStorage } from "node:async_hooks";

type Values = Readonly<Record<string, unknown>>;

// Next.js bundles routes separately, and server.ts runs outside of its bundles. A global gives one store per process.
const shared = globalThis as typeof globalThis & { halcyonWork?: AsyncLocalStorage<Values> };
shared.halcyonWork ??= new AsyncLocalStorage();
const store = shared.halcyonWork;

/**
 * A value that belongs to the work in progress and all that it starts, such as its transaction. Like an
 * `AsyncLocalStorage` of its own, but all of them share one: Node 20 copies the value of each storage to every promise.
 */
export class WorkValue<T> {
  /** @param name the same in every copy of the module, and of no other value */
  constructor(private readonly name: string) {}

  /** Runs `work` with this value. */
  run<R>(value: T, work: () => R): R {
    return store.run({ ...store.getStore(), [this.name]: value }, work);
  }

  /** Returns the value of the work in progress; undefined if it has none. */
  get(): T | undefined {
    return store.getStore()?.[this.name] as T | undefined;
  }
}
