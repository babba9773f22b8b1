import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Heartbeat } from "./heartbeat";

/** What becomes of the next record. */
let record: () => Promise<void>;
const newHeartbeat = () => new Heartbeat(() => record());

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  record = async () => {};
});
afterEach(() => {
  vi.useRealTimers();
});

test("a worker that has not begun has no age and is not stuck", () => {
  const heartbeat = newHeartbeat();
  vi.advanceTimersByTime(60_000);
  expect([heartbeat.age(), heartbeat.stuckMs()]).toEqual([undefined, 0]);
});

test("a beat's age counts from its record, and a worker that no longer beats is stuck", async () => {
  const heartbeat = newHeartbeat();
  await heartbeat.beat();
  vi.advanceTimersByTime(3_000);
  expect([heartbeat.age(), heartbeat.stuckMs()]).toEqual([3, 3_000]);
  await heartbeat.beat();
  expect([heartbeat.age(), heartbeat.stuckMs()]).toEqual([0, 0]);
});

test("a worker without its database is not stuck, and its last record ages", async () => {
  const heartbeat = newHeartbeat();
  await heartbeat.beat();
  record = () => Promise.reject(new Error("away"));
  for (let n = 0; n < 3; n++) {
    vi.advanceTimersByTime(5_000);
    await expect(heartbeat.beat()).rejects.toThrow("away");
  }
  expect([heartbeat.age(), heartbeat.stuckMs()]).toEqual([15, 0]);
});

test("a beat whose record never ends is stuck since it began", async () => {
  const heartbeat = newHeartbeat();
  await heartbeat.beat();
  vi.advanceTimersByTime(1_000);
  let end = () => {};
  record = () =>
    new Promise((resolve) => {
      end = resolve;
    });
  const beating = heartbeat.beat();
  vi.advanceTimersByTime(7_000);
  expect([heartbeat.age(), heartbeat.stuckMs()]).toEqual([8, 7_000]);
  end();
  await beating;
  expect([heartbeat.age(), heartbeat.stuckMs()]).toEqual([0, 0]);
});
