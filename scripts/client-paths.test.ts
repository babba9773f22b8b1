import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import document from "@/docs/openapi.json";
import { SESSION_ROUTES } from "@/lib/http/routes";

const operations = Object.entries(document.paths).map(([at, methods]) => ({ at, methods: Object.values(methods) }));
const SESSION_PATHS = [
  ...operations.filter(({ methods }) => methods.some((one) => "x-session" in one)).map(({ at }) => at),
  ...Object.keys(SESSION_ROUTES),
];
const ALL_PATHS = [...operations.map(({ at }) => at), ...SESSION_PATHS];

/** A path in quotes, or the start of one that the code completes. */
const QUOTED = /(["`])(\/(?:api|v1)\/[^"`\n]*)\1/g;

/** Returns the paths of the service that a client's file names, with `{}` in place of each part that is computed. */
function pathsIn(file: string): string[] {
  const code = readFileSync(file, "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  return [...code.matchAll(QUOTED)].map(([, , text = ""]) => text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "{}"));
}

/** Reports whether a path, or the start of one, is that of a pattern such as `/v1/webhooks/{webhook_id}`. */
function isAmong(patterns: readonly string[], named: string): boolean {
  const [at = ""] = named.split("?");
  const source = at.replace(/[.]/g, "\\.").replaceAll("{}", ".*");
  const whole = new RegExp(`^${source}$`);
  return patterns.some((pattern) => {
    if (pattern.endsWith("*")) return at.startsWith(pattern.slice(0, -1));
    // Pages mark everything below a path as stale.
    return whole.test(pattern.replace(/\{\w+\}/g, "some")) || pattern.startsWith(`${at}/{`);
  });
}

/** Returns what files of these folders name that is not among the patterns. */
function strayPaths(folders: readonly string[], patterns: readonly string[]): string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map((file) => path.join(folder, file)),
  );
  const named = files.flatMap((file) => pathsIn(file).map((at) => ({ file, at })));
  expect(named.length).toBeGreaterThan(50);
  return named.filter(({ at }) => !isAmong(patterns, at)).map(({ file, at }) => `${file}: ${at}`);
}

test("every path that the SDK names is one that the service serves", () => {
  expect(strayPaths(["sdk"], ALL_PATHS)).toEqual([]);
});

test("every path that a page names is one that takes a session", () => {
  expect(strayPaths(["components"], SESSION_PATHS)).toEqual([]);
});
