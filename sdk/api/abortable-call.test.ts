import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { AbortableCall } from "./abortable-call";

test("however many requests wait on one signal, it has one listener, and ends them all", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const never = new Promise<never>(() => {});
  const waits = Array.from(
    { length: 30 },
    (_, at) => new AbortableCall({ signal }, at % 2 ? new AbortableCall({ signal }) : undefined),
  );
  const ended = Promise.allSettled(waits.map((call) => call.whileWanted(never)));
  // Calls that also have a signal of the client's share one listener, on a signal that both abort.
  expect(getEventListeners(signal, "abort").length).toBe(1);
  expect(await new AbortableCall({ signal }).whileWanted(Promise.resolve("done"))).toBe("done");
  controller.abort();
  for (const result of await ended) expect(result).toMatchObject({ status: "rejected", reason: { code: "aborted" } });
});
