import { expect, test } from "vitest";
import { checkDeadline } from "./check-document";

const now = new Date("2026-11-29T12:00:00Z");
const at = (seconds: number) => String(now.getTime() / 1000 + seconds);

test("a client-signed document's deadline that a wrong clock may have made is refused with both clocks", () => {
  expect(checkDeadline(at(600), now)).toEqual(new Date("2026-11-29T12:10:00Z"));
  for (const seconds of [-3_000, 90_000]) {
    expect(() => checkDeadline(at(seconds), now)).toThrow("by the service's clock it is 2026-11-29T12:00:00.000Z");
  }
});
