import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { BulkGroup } from "./bulk-group";

test("a recipient of several payments is named once, with their count and a total per asset", () => {
  const totals = [
    { asset: "USDG", amount: "36.5" },
    { asset: "ETH", amount: "0.2" },
  ];
  const markup = renderToStaticMarkup(
    <BulkGroup agent="@ada/bot" to="@lin" counted="4 payments" totals={totals} encrypted={false}>
      <li />
    </BulkGroup>,
  );
  const text = markup.replace(/<[^>]*>/g, " ");
  expect(text.split("@lin")).toHaveLength(2);
  for (const part of ["4 payments", "36.5", "USDG", "0.2", "ETH"]) expect(text).toContain(part);
});
