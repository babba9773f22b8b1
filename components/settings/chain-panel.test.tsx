import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ChainPanel } from "./chain-panel";
import type { ChainReport } from "./use-chain-check";

const FINE: ChainReport = {
  verified: 7,
  broken: [],
  oldest: { position: 1, created_at: "2026-11-28T10:00:00Z" },
  extent: "whole",
  note: undefined,
} as unknown as ChainReport;

function shown(report: Partial<ChainReport> | null): string {
  const whole = report && ({ ...FINE, ...report } as ChainReport);
  return renderToStaticMarkup(<ChainPanel report={whole} busy={false} onCheckAll={() => {}} onBeginAgain={() => {}} />);
}
const text = (report: Partial<ChainReport> | null) =>
  shown(report)
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

test("an entry of the log that was changed or left out is named, as an alert", () => {
  const broken = [
    { id: "aud_1", position: 6, problem: "was changed" },
    { id: undefined, position: 4, problem: "is missing" },
  ] as unknown as ChainReport["broken"];
  expect(shown({ broken })).toContain('role="alert"');
  expect(text({ broken })).toContain("The log was changed after it was written.");
  expect(text({ broken })).toMatch(/Entry 6 aud_1 was changed\./);
  expect(text({ broken })).toMatch(/Entry 4 is missing\./);
  expect(text({ broken })).not.toContain("unchanged");
});

test("the whole log is called unchanged only once the whole was read, and a second check compares with the first", () => {
  expect(text(null)).toContain("Chained by hashes");
  expect(text({ extent: "page" } as never)).toContain("What is shown is unchanged.");
  expect(text({})).toContain("The whole log is unchanged.");
  expect(text({})).toContain("Verified 7 entries back to the first");
  expect(text({ note: "held" })).toContain("It still matches what this browser noted");
  expect(text({ note: "left" })).not.toContain("The whole log is unchanged.");
});
