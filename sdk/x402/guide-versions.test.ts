import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import packageJson from "@/package.json";

test("the guide names the versions of other packages that are tested here", () => {
  const guide = readFileSync("docs/guides/pay-over-http.md", "utf8");
  const lines = [...guide.matchAll(/^npm install (.+)$/gm)].flatMap(([, names = ""]) => names.split(" "));
  const named = lines.map((text) => text.split(/(?<=.)@/));
  expect(named.length).toBeGreaterThan(3);
  const tested: Record<string, string> = { ...packageJson.dependencies, ...packageJson.devDependencies };
  for (const [name = "", version] of named) expect(version, name).toBe(tested[name]);
});
