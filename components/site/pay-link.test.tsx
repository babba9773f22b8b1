import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PayLink } from "./pay-link";

test("while a request is checked, its place is as high as a request and what pays it: what is below does not move", () => {
  const markup = renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <PayLink request={{ payment_request_id: "pr_1", network: "test" } as never} networks={[]} visitor={{} as never} />
    </AppRouterContext>,
  );

  expect(markup).toMatch(/^<div[^>]*class="[^"]*min-h-\[80dvh\]/);
  expect(markup).toMatch(/<div[^>]*role="status"[^>]*aria-label="Checking with the chain"/);
  expect(markup).not.toMatch(/Pay until|Signed by the payee/);
});
