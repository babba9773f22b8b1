import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { failureOf } from "./wording";

test("every stage at which an attempt can fail has words for it, with its detail", () => {
  const sources = ["attempt.ts", "post.ts"]
    .map((file) => readFileSync(`lib/webhooks/delivery/${file}`, "utf8"))
    .join("\n");
  const stages = new Set([...sources.matchAll(/["`]([a-z]+): (?:\$\{|[a-zA-Z])/g)].map(([, stage = ""]) => stage));
  expect(stages.size).toBeGreaterThanOrEqual(9);
  const unknown = failureOf("nonsense: x").title;
  for (const stage of stages) expect(failureOf(`${stage}: detail`), stage).not.toMatchObject({ title: unknown });
  expect(failureOf("status: 503")).toMatchObject({ title: "It responded with an error", detail: "503" });
});
