import { afterAll, beforeAll, expect, test } from "vitest";
import { payAndSearch } from "@/test/attacks/blind-leaks";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";

let services: WorkingServices;
beforeAll(async () => {
  services = await startWorkingServices();
});
afterAll(() => services?.stop());

test("a service that signs blind payments has no amount, balance, memo, home key or `k` of them in memory, logs or rows", async () => {
  const learned = await payAndSearch(4);
  expect(learned.findsPlain).toBe(true);
  expect(learned.secrets).toHaveLength(24);
  expect(learned).toMatchObject({ inMemory: [], inLogs: [], inRows: [] });
});
