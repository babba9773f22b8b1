import { expect, test } from "vitest";
import { readBounded, readBoundedText } from "./read-bounded";

test("of an endless response no more than the bound is read, and the rest is let go", async () => {
  let sent = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1024;
      controller.enqueue(new Uint8Array(1024));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  await expect(readBounded(new Response(endless), 10_000)).rejects.toThrow("over 10000 bytes");
  expect(cancelled).toBe(true);
  expect(sent).toBeLessThan(20_000);
});

test("a response within the bound is read as it is, whatever its pieces", async () => {
  const text = "é".repeat(1_000);
  const bytes = new TextEncoder().encode(text);
  const pieces = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
      controller.close();
    },
  });
  expect(await readBoundedText(new Response(pieces), bytes.length)).toBe(text);
  expect(await readBoundedText(new Response(null))).toBe("");
});
