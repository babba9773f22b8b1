import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SampleReceipt } from "./sample-receipt";

const shown = (receipt?: string) => renderToStaticMarkup(<SampleReceipt receipt={receipt} />);

test("a visitor without a receipt gets the one that the service publishes, to be checked like any other", () => {
  expect(shown("hcr1_abc")).toContain('href="#hcr1_abc"');
});

test("a service that has published no receipt says so, and where receipts come from", () => {
  expect(shown()).not.toContain("href");
  expect(shown()).toContain("has published none to try");
});
