import { expect, test } from "vitest";
import { ApiError } from "@/lib/base/errors";
import { shareOf } from "./reload-share";

const pepper = new Uint8Array(32).fill(1);
const MINUTE = 60_000;
const now = 1_000 * 180_000;

test("a session gets the same share of a window again, and no other session or window has it", () => {
  const { window, share } = shareOf(pepper, "a", undefined, now);
  expect(share).toMatch(/^0x[0-9a-f]{64}$/);
  expect(shareOf(pepper, "a", window, now + 10 * MINUTE)).toEqual({ window, share });
  const others = [
    shareOf(pepper, "b", window, now),
    shareOf(pepper, "a", window - 1, now),
    shareOf(new Uint8Array(32).fill(2), "a", window, now),
  ];
  for (const other of others) expect(other.share).not.toBe(share);
});

test("no share of a window that began more than 15 minutes ago, or that has not begun, is handed out", () => {
  const { window } = shareOf(pepper, "a", undefined, now);
  expect(shareOf(pepper, "a", window, now + 15 * MINUTE - 1).window).toBe(window);
  for (const at of [now + 15 * MINUTE, now - 1]) expect(() => shareOf(pepper, "a", window, at)).toThrow(ApiError);
});
