import { expect, test } from "vitest";
import { describeError } from "@/components/api/describe-error";
import { orCancelled } from "./or-cancelled";

test("a wait that the person cancels ends at once, and what comes later is ignored", async () => {
  const controller = new AbortController();
  let sign = (_: string) => {};
  const signature = new Promise<string>((resolve) => {
    sign = resolve;
  });
  const waiting = orCancelled(signature, controller.signal);
  controller.abort();
  sign("0x01");
  const error = await waiting.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "AbortError" });
  // The person cancelled, so nothing says that something failed.
  expect(describeError(error).gaveUp).toBe(true);
  await expect(orCancelled(Promise.resolve(1), controller.signal)).rejects.toMatchObject({ name: "AbortError" });
});

test("without it, the wait ends as what it waits for", async () => {
  const { signal } = new AbortController();
  expect(await orCancelled(Promise.resolve(1), signal)).toBe(1);
  await expect(orCancelled(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
});
