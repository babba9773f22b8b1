import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SelectBox } from "@/components/approvals/select-box";
import { Checkbox, Switch } from "./checkbox";

test("a browser restores no press on reload, which would be repeated as an early one", () => {
  const props = { label: "Pay", checked: false, onChange: () => {} };
  for (const Box of [Checkbox, Switch, SelectBox]) {
    expect(renderToStaticMarkup(<Box {...props} />)).toContain('autoComplete="off"');
  }
});
