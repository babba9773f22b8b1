import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { keepTyped, typedWith } from "@/components/money/typed-elsewhere";
import { askingAgain, PageTransition, useGo } from "./page-transition";

afterEach(() => vi.unstubAllGlobals());

let go: (href: string) => void = () => {};
function Goes() {
  go = useGo();
  return null;
}

test("an amount that was typed for a form is forgotten with the next page, so that a plain payment begins empty", () => {
  renderToStaticMarkup(
    <AppRouterContext value={{} as AppRouterInstance}>
      <PageTransition>
        <Goes />
      </PageTransition>
    </AppRouterContext>,
  );
  vi.stubGlobal("location", new URL("http://localhost/test"));
  keepTyped("@demo", "5");
  expect(typedWith("@demo")).toBe("5");
  // What is rendered to text goes nowhere.
  expect(() => go("/test?do=send&to=%40demo")).toThrow();
  expect(typedWith("@demo")).toBe("");
});

test("a page that did not come although it was asked for again is loaded in full", () => {
  const done: string[] = [];
  const asking = askingAgain(
    (href) => done.push(`asked ${href}`),
    (href) => done.push(`loaded ${href}`),
  );
  asking.again("/test/agents");
  asking.again("/test/agents");
  asking.again("/test/payouts");
  asking.chosen();
  asking.again("/test/payouts");
  expect(done).toEqual(["asked /test/agents", "loaded /test/agents", "asked /test/payouts", "asked /test/payouts"]);
});
