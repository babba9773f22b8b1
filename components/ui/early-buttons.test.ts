import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Menu } from "./menu";

/** Buttons that appear once scripts run, or on pages that remember no press: by why, their files and handlers. */
const EXCEPTIONS = {
  "in a dialog, or after another press": [
    "components/money/available-hint.tsx: () => void unlock()",
    "components/money/make-available-dialog.tsx: () => void vault.unlock()",
    "components/money/withdraw-dialog.tsx: () => setTo(address)",
    "components/payments/payouts/new-payout.tsx: () => setChecked(undefined)",
    "components/payments/payouts/review.tsx: () => setMost(most + AT_ONCE)",
    "components/policy/policy-edit.tsx: () => setReviewing(false)",
    "components/payments/schedules/create-schedule.tsx: () => setPayments(payments.filter((one) => one.key !== key))",
    "components/settings/add-backup-dialog.tsx: () => setCode(undefined)",
    "components/settings/email-settings.tsx: () => setChanging(false)",
    "components/documents/statements/statements.tsx: () => setSharing(true)",
    "components/vault/recovery-code-form.tsx: () => setConfirming(true)",
    "components/vault/recovery-code-form.tsx: () => setConfirming(false)",
  ],
  "below what this browser decrypted": [
    "components/payments/transfers/search-results.tsx: () => setReach(searched + STEP)",
    "components/documents/shared-views/shown-shared-view.tsx: () => setMost(most + STEP)",
    "components/money/low-balance/low-balance-watch.tsx: () => setDismissed((before) => [...before, asset])",
    "components/shell/overview/spend-charts.tsx: () => setChosen(name)",
    "components/payments/payouts/payout-rows.tsx: () => setStarts(starts.slice(0, -1))",
    "components/payments/payouts/payout-rows.tsx: () => setStarts([...starts, rows.at(-1)?.row ?? after])",
  ],
  "outside the dashboard's layout": ["components/wallet/test-wallet-key.tsx: () => setShown(true)"],
};

/** Handlers that only open a dialog or ask the wallet for the keys: pressing twice does no more than once. */
const OPENS = /^(?:\(\) => (?:void )?(?:set[A-Z]\w*|ask|show|vault\.unlock|unlock)\(|(?:open|show)$)/;

/** Returns the text from `start` up to the end of an opening tag, or of a braced expression. */
function until(text: string, start: number, end: ">" | "}"): string {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (char === end && depth === 0) return text.slice(start, at);
    if (char === "{") depth += 1;
    if (char === "}") depth -= 1;
  }
  throw new Error("A tag does not end.");
}

/** Returns the tags of all buttons in the dashboard's components that only open something. */
function openers() {
  const files = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.posix.join(folder, file)),
  );
  return files
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) => {
      const text = readFileSync(file, "utf8");
      return [...text.matchAll(/<[Bb]utton\b/g)].flatMap(({ index }) => {
        const tag = until(text, index, ">");
        const at = tag.indexOf("onClick={");
        if (at < 0) return [];
        const handler = until(tag, at + "onClick={".length, "}")
          .trim()
          .replaceAll(/\s+/g, " ");
        return OPENS.test(handler) ? [{ file, handler, early: /\sdata-early\b/.test(tag) }] : [];
      });
    });
}

test("a button that only opens something works before the page's scripts have loaded", () => {
  const lost = openers().filter(({ early }) => !early);
  // Sorted, so that an exception is taken back once it is no longer one.
  expect(lost.map(({ file, handler }) => `${file}: ${handler}`).sort()).toEqual(
    Object.values(EXCEPTIONS).flat().sort(),
  );
});

test("a menu opens with a press before the page's scripts have loaded", () => {
  const trigger = createElement("button", { type: "button" }, "Actions");
  expect(renderToStaticMarkup(createElement(Menu, { trigger, actions: [] }))).toContain("data-early");
});
