import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withRpcTimeout } from "./with-rpc-timeout";

const [CHAIN, OTHER] = [46630, 4663] as const;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a node that does not respond is away after five seconds, and for those that follow at once", async () => {
  const ended = vi.fn();
  const waits = withRpcTimeout(CHAIN, () => new Promise(() => {})).catch(ended);
  await vi.advanceTimersByTimeAsync(4_900);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  await waits;
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: "unavailable" }));
  const work = vi.fn(async () => "read");
  await expect(withRpcTimeout(CHAIN, work)).rejects.toMatchObject({ code: "unavailable" });
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await withRpcTimeout(CHAIN, work)).toBe("read");
});

test("what a node sent while the process was stopped is read, however long that was", async () => {
  let respond = (_: string) => {};
  const response = withRpcTimeout(OTHER, () => new Promise<string>((resolve) => (respond = resolve)));
  // Timers run first in a process that goes on, each once, and only then what has come.
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersToNextTimer();
  respond("sent meanwhile");
  expect(await response).toBe("sent meanwhile");
});
