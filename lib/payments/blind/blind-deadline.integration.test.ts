import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { checkBlindDeadline } from "./blind-payment";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

/** Checks a deadline that a client with the right clock sets so many seconds ahead, by a server's clock. */
async function checked(ahead: number, serverMinutes = 0): Promise<unknown> {
  const deadline = String(Math.floor(Date.now() / 1_000) + ahead);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 * serverMinutes });
  return checkBlindDeadline({ deadline })
    .catch((error: unknown) => error)
    .finally(() => vi.useRealTimers());
}

test("a deadline that is too far ahead is refused with both clocks", async () => {
  expect(await checked(300)).toBeUndefined();
  const refused = { code: "invalid_request", message: expect.stringContaining("compare your clock") };
  expect(await checked(3_600)).toMatchObject(refused);
});

test("a server whose own clock is wrong does not blame the client: it says so, and when to try again", async () => {
  const differ = { code: "unavailable", retryAfter: 30, message: expect.stringContaining("clocks differ") };
  expect(await checked(300, -10)).toMatchObject(differ);
  expect(await checked(300, 10)).toMatchObject(differ);
});
