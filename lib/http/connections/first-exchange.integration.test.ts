import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { agentRow, connected } from "@/test/accounts/connection";
import { Owner } from "@/test/accounts/owner";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";

let services: LocalServices;

beforeAll(async () => {
  services = await startLocalServices();
});
afterAll(() => services?.stop());

test("a process whose first request exchanges a code issues the token", async () => {
  const owner = await Owner.create(46630);
  const { exchange, token } = await connected(owner, await agentRow(owner, "bot"));
  vi.resetModules();
  const { exchangeCode } = await import("./exchange-code");
  expect(await exchangeCode(exchange)).toMatchObject({ access_token: token });
});
