import { expect, test } from "vitest";
import type { Schedule } from "../../api/resources/schedules";
import type { Context } from "../../context/context";
import { runDue } from "./run-due";

/** A schedule whose text is deleted. */
const emptied = {
  ...{ schedule_id: "sch_a", version: 1, next_run: null, due_runs: [] },
  encrypted: { ciphertext: "0x", secret_version: 1, last_date: "2026-10-24" },
};

/** An account with a wallet and this schedule, whose service responds to reads only. */
function accountWith(schedule: Schedule): Context {
  const call = async (method: string) => {
    if (method !== "GET") throw new Error("nothing is written");
    return { schedules: [schedule], has_more: false };
  };
  const parts = { hasWallet: true, vault: async () => ({ secret: new Uint8Array(32) }), scope: async () => ({}) };
  return { ...parts, session: async () => ({ call }) } as unknown as Context;
}

test("a runner has nothing to do for a finished schedule whose text is deleted, or for one that has ended", async () => {
  for (const status of ["finished", "ended"] as const) {
    expect(await runDue(accountWith({ ...emptied, status } as unknown as Schedule))).toEqual([]);
  }
});
