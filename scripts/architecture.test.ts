import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { cyclesOf, moduleFolder, ownFolder } from "./architecture/folders";
import { type Import, importsOf, readImports, sourceFiles } from "./architecture/imports";
import { readFloors, roomOf, upwardImports } from "./architecture/rooms";

/** Files at a tree's root are for things that everyone looks for there, so there may be only a few. */
const MOST_AT_ROOT = 15;

const floors = readFloors(readFileSync("docs/architecture.md", "utf8"));
let files: string[] = [];

beforeAll(() => {
  files = sourceFiles();
});

const below = (folder: string) => files.filter((file) => file.startsWith(folder));

describe("the rooms of lib", () => {
  it("are the ones that docs/architecture.md draws, and every file stands in one", () => {
    expect(readdirSync("lib").sort()).toEqual([...floors.keys()].sort());
    expect(below("lib/").filter((file) => !floors.has(roomOf(file) ?? ""))).toEqual([]);
  });

  it("import only rooms on lower floors, so that they make no circle", () => {
    expect(upwardImports(files, floors)).toEqual([]);
  });

  it("stand on db, which uses only the ground floor", () => {
    const imports = below("db/").flatMap((file) => readImports(file).map(({ to }) => ({ file, to })));
    const rooms = imports.filter(({ to }) => to.startsWith("lib/"));
    expect(rooms.length).toBeGreaterThan(0);
    expect(rooms.filter(({ to }) => roomOf(to) !== "base")).toEqual([]);
  });

  it("are compared with the drawing: an import up, or on the same floor, is found", () => {
    const drawn = readFloors("## Rooms\n\n```\n2  b  c\n1  a\n```\n");
    expect([...drawn]).toEqual([
      ["b", 2],
      ["c", 2],
      ["a", 1],
    ]);
    const imports: Record<string, string[]> = {
      "lib/a/x.ts": ["lib/b/x", "db/x", "lib/a/y"],
      "lib/b/x.ts": ["lib/a/x", "lib/c/x"],
    };
    const read = (file: string) => (imports[file] ?? []).map((to) => ({ to }));
    expect(upwardImports(Object.keys(imports), drawn, read)).toEqual([
      { file: "lib/a/x.ts", to: "lib/b/x" },
      { file: "lib/b/x.ts", to: "lib/c/x" },
    ]);
  });
});

describe.each(["sdk", "components"])("the folders of %s", (root) => {
  it("are modules: imports between them make no cycle", () => {
    expect(cyclesOf(below(`${root}/`), readImports, moduleFolder)).toEqual([]);
  });

  it("make no cycle either when each folder below another counts by itself", () => {
    expect(cyclesOf(below(`${root}/`), readImports, ownFolder)).toEqual([]);
  });
});

describe("what runs in production", () => {
  it("imports no test support", () => {
    const shipped = ["lib/", "db/", "app/", "components/", "sdk/", "server.ts"].flatMap(below);
    const imports = shipped.flatMap((file) => readImports(file).map(({ to }) => ({ file, to })));
    expect(imports.length).toBeGreaterThan(1000);
    expect(imports.filter(({ to }) => to === "test" || to.startsWith("test/"))).toEqual([]);
  });
});

describe("components", () => {
  it("of ui import only each other: they know neither payments nor requests", () => {
    const imports = below("components/ui/").flatMap((file) => readImports(file).map(({ to }) => ({ file, to })));
    expect(imports.filter(({ to }) => !to.startsWith("components/ui/"))).toEqual([]);
  });
});

describe("the root of sdk", () => {
  it("holds few files: the client and its documents", () => {
    expect(readdirSync("sdk", { withFileTypes: true }).filter((entry) => entry.isFile()).length).toBeLessThanOrEqual(
      MOST_AT_ROOT,
    );
  });
});

describe("cycles between folders", () => {
  const tree = (imports: Record<string, string[]>) => {
    const read = (file: string): Pick<Import, "to">[] => (imports[file] ?? []).map((to) => ({ to }));
    return cyclesOf(Object.keys(imports), read);
  };

  it("are found directly and by way of others, with the imports that make them", () => {
    expect(tree({ "a/x.ts": ["b/x.ts"], "b/x.ts": ["c/x.ts"], "c/x.ts": ["a/y.ts"], "a/y.ts": [] })).toEqual([
      ["a -> b: a/x.ts imports b/x.ts", "b -> c: b/x.ts imports c/x.ts", "c -> a: c/x.ts imports a/y.ts"],
    ]);
  });

  it("are not seen where imports point one way, or stay in a folder", () => {
    expect(tree({ "a/x.ts": ["b/x.ts", "a/y.ts"], "a/y.ts": ["a/x.ts", "c/x.ts"], "b/x.ts": ["c/x.ts"] })).toEqual([]);
  });
});

describe("reading imports", () => {
  const read = (source: string) => importsOf("lib/policy/x.ts", source).map(({ to, kind }) => `${to} ${kind}`);

  it("finds every form, on one line or many, with or without the alias", () => {
    expect(
      read(`import "./side";
import a from "@/lib/a";
import {
  b,
  type C,
} from "../b";
export * from "@/lib/d";
export type { E } from "@/lib/e";
import type { F } from "@/lib/f";
const g = await import("@/lib/g");
let h: import("@/lib/h").H;
import z from "zod";`),
    ).toEqual([
      "lib/policy/side values",
      "lib/a values",
      "lib/b values",
      "lib/d values",
      "lib/e types",
      "lib/f types",
      "lib/g values",
      "lib/h types",
    ]);
  });

  it("takes neither comments nor texts for imports", () => {
    expect(read('// import a from "@/lib/a";\n/* import("@/lib/b") */\nconst s = `import c from "@/lib/c"`;')).toEqual(
      [],
    );
  });

  it("reaches every folder that holds sources", () => {
    const tops = new Set(sourceFiles().map((file) => file.split("/")[0]));
    const expected = ["app", "bench", "components", "db", "e2e", "lib", "scripts", "sdk", "server.ts"];
    expect(expected.filter((top) => !tops.has(top))).toEqual([]);
  });
});
