import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiCallError, ServiceUnreachable } from "@/sdk/api/errors";
import {
  askServiceNow,
  DOUBT_MS,
  doubtService,
  isServiceSilent,
  onService,
  PAUSE_MS,
  serviceResponds,
  watched,
} from "./service-watch";

/** What the service does with the question whether it is ready: its status, or none. */
type Does = number | "refuses" | "hangs";
let response: Does;
let asked: number;

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
  // The signal's own timer is not one of those that a test moves.
  vi.stubGlobal("AbortSignal", {
    timeout: (milliseconds: number) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), milliseconds);
      return controller.signal;
    },
  });
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    asked++;
    if (response === "refuses") return Promise.reject(new TypeError("refused"));
    if (response !== "hangs") return Promise.resolve({ status: response });
    return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));
  });
});
afterEach(async () => {
  response = 200;
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each<[Does]>([["refuses"], [503], ["hangs"]])(
  "five seconds after a request that gets no response, it is known that the service does not respond: %s",
  async (does) => {
    response = does;
    void watched(new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(isServiceSilent()).toBe(true);
  },
);

test("a service that restarts within a second is not called silent, nor one that is merely slow", async () => {
  response = "refuses";
  void doubtService();
  await vi.advanceTimersByTimeAsync(500);
  response = 200;
  await vi.advanceTimersByTimeAsync(500);
  void watched(new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isServiceSilent()).toBe(false);
});

test("while all is well the service is not asked, and after a refusal of its own neither", async () => {
  response = 200;
  await watched(Promise.resolve());
  await vi.advanceTimersByTimeAsync(DOUBT_MS);
  const refused = new ApiCallError("not_found", "There is none.", { status: 404, requestId: "req_1" });
  await expect(watched(Promise.reject(refused))).rejects.toBe(refused);
  expect(asked).toBe(0);
});

test("a silent service is asked again every few seconds, and at once when the person asks or something arrives", async () => {
  response = "refuses";
  const lost = new ServiceUnreachable("No service.");
  await expect(watched(Promise.reject(lost))).rejects.toBe(lost);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isServiceSilent()).toBe(true);
  const before = asked;
  await vi.advanceTimersByTimeAsync(PAUSE_MS);
  expect(asked).toBe(before + 1);
  askServiceNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toBe(before + 2);
  response = 200;
  await watched(Promise.resolve());
  await vi.advanceTimersByTimeAsync(0);
  expect(isServiceSilent()).toBe(false);
});

test("a service that missed one question is called silent until it responds, so that what was lost for it is asked for again", async () => {
  const heard: boolean[] = [];
  const forget = onService(() => heard.push(isServiceSilent()));
  response = "refuses";
  const question = serviceResponds();
  response = 200;
  expect(await question).toBe(false);
  await vi.advanceTimersByTimeAsync(0);
  forget();
  expect(heard).toEqual([true, false]);
});
