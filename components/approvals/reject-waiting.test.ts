import { expect, test } from "vitest";
import { ApiCallError, ServiceUnreachable } from "@/sdk/api/errors";
import { type Rejected, rejectWaiting } from "./reject-waiting";

/** A queue of which the service rejects 50 payments at a time. */
function queueOf(length: number, failsAfter = Number.POSITIVE_INFINITY) {
  let waiting = length;
  return async (): Promise<Rejected> => {
    if (length - waiting >= failsAfter)
      throw new ApiCallError("unavailable", "Try again later.", { status: 503, requestId: "req_1" });
    const rejected = Math.min(50, waiting);
    waiting -= rejected;
    return { rejected, has_more: waiting > 0 };
  };
}

test("10,000 payments that wait are all rejected, and it is said how many so far", async () => {
  const said: number[] = [];
  expect(await rejectWaiting(queueOf(10_000), (reached) => said.push(reached))).toBe(10_000);
  expect(said).toHaveLength(200);
  expect(said.slice(0, 2)).toEqual([50, 100]);
});

test("what others decide at the same moment is not waited for", async () => {
  expect(
    await rejectWaiting(
      async () => ({ rejected: 0, has_more: true }),
      () => {},
    ),
  ).toBe(0);
});

test("a failure in the middle says how many were rejected; one at the beginning is itself", async () => {
  await expect(rejectWaiting(queueOf(5_000, 1_200), () => {})).rejects.toThrow(
    "1,200 payments were rejected before this failed; the others still wait. Try again later.",
  );
  await expect(rejectWaiting(queueOf(5_000, 0), () => {})).rejects.toThrow(/^Try again later\.$/);
});

test("if a response was lost, it is not said that the others still wait", async () => {
  const queue = queueOf(100);
  let calls = 0;
  const lost = Object.assign(new ServiceUnreachable("-"), { mayHaveHappened: true });
  await expect(
    rejectWaiting(
      () => (++calls > 1 ? Promise.reject(lost) : queue()),
      () => {},
    ),
  ).rejects.toThrow(/^50 payments were rejected before this failed\. We don't know yet whether this was done/);
});
