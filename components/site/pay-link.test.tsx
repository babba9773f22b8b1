import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PayLink } from "./pay-link";

const REQUEST = {
  payment_request_id: "pr_1",
  network: "test",
  asset: "USDG",
  payee: `0x${"b2".repeat(20)}`,
  payee_handle: "@papershop",
  expires_at: "2100-12-28T00:00:00.000Z",
};

test("the server renders who asks and until when, and no amount: a slow phone shows it before the scripts", () => {
  const text = renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <PayLink request={REQUEST as never} networks={[]} visitor={{} as never} />
    </AppRouterContext>,
  ).replace(/<[^>]*>/g, " ");

  expect(text).toContain("@papershop");
  expect(text).toMatch(/Pay until\s+28 Dec 2100/);
  expect(text).toContain("No amount is shown before this browser has checked it");
  expect(text).not.toContain("USDG");
});

test("while a request is checked, its place is as high as a request and what pays it: what is below does not move", () => {
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <PayLink request={REQUEST as never} networks={[]} visitor={{} as never} />
    </AppRouterContext>,
  );

  expect(markup).toMatch(/^<div[^>]*class="[^"]*min-h-\[80dvh\]/);
  expect(markup).toMatch(/<p[^>]*role="status"[^>]*aria-label="Checking with the chain"/);
  expect(markup).not.toMatch(/Signed by the payee/);
});
