import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Amount } from "./amount";

test("digits beyond two decimals are set apart, and reading it aloud gives all of them with the unit", () => {
  const markup = renderToStaticMarkup(<Amount value="1234.5001" asset="USDG" sign="−" />);
  expect(markup.replace(/<[^>]*>/g, "")).toBe("−1,234.5001 USDG");
  expect(markup).toMatch(/<span data-extra="few"[^>]*>01<\/span>/);
});

test("in a column the head names the unit, which a screen reader still reads with each amount", () => {
  const markup = renderToStaticMarkup(<Amount value="2.000000001" asset="ETH" aligned />);
  expect(markup.replace(/<[^>]*>/g, "")).toBe("2.000000001 ETH");
  expect(markup).toMatch(/<span class="[^"]*sm:sr-only"> ETH<\/span>/);
  expect(markup).toContain('data-extra="many"');
});
