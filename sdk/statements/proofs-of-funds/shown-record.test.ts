import { expect, test } from "vitest";
import type { Context } from "../../context/context";
import { readShownRecord } from "./shown-record";

/** Returns a context that has seen version `seen`, with a service that returns `served`. */
function contextOf(seen: number, served: { version: number; encrypted: null }): Context {
  return {
    info: async () => ({ chainId: 46630, ledger: `0x${"11".repeat(20)}` }),
    scope: async () => ({}),
    vault: async () => ({ seedKey: new Uint8Array(32) }),
    wallet: { address: `0x${"22".repeat(20)}` },
    session: async () => ({ get: async () => served }),
    pins: { shownFundsSeen: async () => seen },
  } as unknown as Context;
}

test.each([
  [0, 0, false],
  [5, 5, true],
  [5, 6, true],
  [5, 0, true],
  [0, 3, true],
])("after version %i, a service that says %i and shows no record: lost is %s", async (seen, version, isLost) => {
  const record = await readShownRecord(contextOf(seen, { version, encrypted: null }));
  expect(record).toMatchObject({ entries: [], isLost, highest: Math.max(seen, version) });
});
