import { WorkValue } from "@/lib/base/work-value";

interface Current {
  rootId: string;
  giveWay: () => void;
}

const current = new WorkValue<Current>("account");

/**
 * Runs `work` on behalf of a root account: whatever it has to wait for meanwhile is queued as that account's.
 *
 * @param giveWay called before `work` waits for a proof, another service or another request of the account
 */
export function onBehalfOf<T>(rootId: string, work: () => T, giveWay: () => void = () => {}): T {
  return current.run({ rootId, giveWay }, work);
}

/** Returns the root account that the current work is for; "" for the service itself and before the caller is known. */
export function currentAccount(): string {
  return current.get()?.rootId ?? "";
}

/**
 * Call it before a wait for a proof, for another service or for another request: the account's next request may then be
 * worked on.
 */
export function giveWay(): void {
  current.get()?.giveWay();
}
