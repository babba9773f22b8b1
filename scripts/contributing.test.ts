import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { everyCommand, parses, wordsOf } from "@/test/sdk/command-line";
import { PARTS } from "./test/parts";

const text = readFileSync("CONTRIBUTING.md", "utf8");
const spans = [...text.replace(/```[\s\S]*?```/g, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
const lines = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.trim().split("\n"));
const commands = [...spans, ...lines];

const scripts = Object.keys(JSON.parse(readFileSync("package.json", "utf8")).scripts as Record<string, string>);

describe("CONTRIBUTING.md", () => {
  it("names only npm scripts and parts of the tests that there are", () => {
    const named = commands.flatMap((command) =>
      [...command.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, name]) => name),
    );
    expect(named).toEqual(expect.arrayContaining(["dev", "openapi", "circuits", "contracts", "lint", "typecheck"]));
    expect(named.filter((name) => !scripts.includes(name ?? ""))).toEqual([]);
    const parts = commands.flatMap((command) => [...command.matchAll(/npm test -- (\w+)/g)].map(([, name]) => name));
    expect(new Set(parts)).toEqual(new Set(Object.keys(PARTS)));
  });

  it("names only files and folders that there are", () => {
    const words = [
      ...commands.flatMap((command) => command.split(" ")),
      ...[...text.matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to ?? ""),
    ];
    const elsewhere = /^(https?:|\.halcyon\/|<|@|\/)|[<>*]/;
    const paths = words.filter((word) => /^[\w.()[\]-]+\/|^\w+\.md$/.test(word) && !elsewhere.test(word));
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((file) => !existsSync(path.normalize(file)))).toEqual([]);
  });

  it("gives command lines that the command line takes", async () => {
    const given = lines.filter((line) => line.startsWith("./halcyon "));
    expect(given.length).toBeGreaterThan(3);
    expect(everyCommand().commands.length).toBeGreaterThan(0);
    for (const line of given) expect(await parses(wordsOf(line.replace("./halcyon ", ""))), line).toBe(true);
  });

  it("names all that it says of the code", () => {
    expect(readFileSync("lib/http/routes.ts", "utf8")).toContain("V1_ROUTES");
    expect(readFileSync("lib/events/append-events.ts", "utf8")).toContain("function appendEvents(");
  });
});
