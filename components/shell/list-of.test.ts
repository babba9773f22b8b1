import { expect, test } from "vitest";
import { listOf } from "./list-of";

test("the other network is entered at a page that exists there: the same one, or the list of this one's object", () => {
  expect(["/test", "/test/", "/test/settings/audit-log", "/test/agents/new"].map(listOf)).toEqual([
    "",
    "/",
    "/settings/audit-log",
    "/agents/new",
  ]);
  const id = "01M8138002YF0X99V91KEZQGSS";
  expect(listOf(`/test/transfers/tr_${id}`)).toBe("/transfers");
  expect(listOf(`/test/agents/acct_${id}/policy`)).toBe("/agents");
  expect(listOf(`/live/developers/webhooks/wh_${id}`)).toBe("/developers/webhooks");
  expect(listOf(`/live/developers/webhooks/deliveries/dlv_${id}`)).toBe("/developers/webhooks");
});
