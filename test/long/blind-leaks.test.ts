import { afterAll, beforeAll, expect, test } from "vitest";
import { payAndSearch } from "../attacks/blind-leaks";
import { startWorkingServices, type WorkingServices } from "../services/working-services";

let services: WorkingServices;
beforeAll(async () => {
  services = await startWorkingServices();
});
afterAll(() => services?.stop());

test("after 100 blind payments through the proxy and the SDK the service knows no amount, balance, memo, home key or `k`", async () => {
  const learned = await payAndSearch(100);
  expect(learned.findsPlain).toBe(true);
  expect(learned.secrets).toHaveLength(312);
  expect(learned).toMatchObject({ inMemory: [], inLogs: [], inRows: [] });
});
