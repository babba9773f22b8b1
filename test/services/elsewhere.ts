import { AsyncResource } from "node:async_hooks";

const elsewhere = new AsyncResource("another request");

/** Does what another request would do, from within a transaction that a test holds open. */
export const inAnotherRequest = <T>(work: () => PromiseLike<T>): Promise<T> =>
  elsewhere.runInAsyncScope(async () => work());
