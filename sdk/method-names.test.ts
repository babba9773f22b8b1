import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Halcyon } from "./client";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Returns documents and sources that mention methods of the TypeScript SDK. */
function places(): string[] {
  const files = ["docs", "sdk", "lib/http/reference", "components", "examples"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  );
  const ours = files.filter((file) => /(?<!\.test)\.(tsx?|md)$/.test(file));
  return ["README.md", ...ours.filter((file) => !/^(sdk\/python|docs\/design|examples\/.*node_modules)\//.test(file))];
}

test("every method that documents, comments and messages name is one of the client's", () => {
  const client = new Halcyon() as unknown as Record<string, object>;
  const resources = Object.keys(client).filter((name) => typeof client[name] === "object");
  const call = new RegExp(
    `\\bhalcyon\\.(\\w+)\\.(\\w+)\\(|\\\\?\`(${resources.join("|")})\\.(\\w+)(?:\\(|\\\\?\`)`,
    "g",
  );
  const named = places().flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), "utf8").matchAll(call)].map(([, one, two, resource = one, name = two]) => {
      return {
        file,
        name: `${resource}.${name}`,
        is: typeof Object(client[resource ?? ""])[name ?? ""] === "function",
      };
    }),
  );
  expect(new Set(named.map(({ name }) => name)).size).toBeGreaterThan(20);
  expect(named.filter(({ is }) => !is)).toEqual([]);
});
