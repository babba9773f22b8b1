import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { importsOf, readImports, sourceFiles } from "./architecture/imports";
import { type House, readFloors, roomOf, upwardImports } from "./architecture/rooms";

/** Files at a house's top are for things that everyone looks for there, so there may be only a few. */
const MOST_AT_TOP = 15;

const HOUSES: House[] = ["lib", "sdk", "components"];
/** Folders that hold no module of their house. */
const NO_ROOMS = ["sdk/bin", "sdk/python"];

const document = readFileSync("docs/architecture.md", "utf8");
let files: string[] = [];

beforeAll(() => {
  files = sourceFiles();
});

const below = (folder: string) => files.filter((file) => file.startsWith(folder));

describe.each(HOUSES)("the rooms of %s", (house) => {
  const floors = readFloors(document, house);

  it("are the ones that docs/architecture.md draws, and every file stands in one", () => {
    const folders = readdirSync(house, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const rooms = folders.map(({ name }) => name).filter((name) => !NO_ROOMS.includes(`${house}/${name}`));
    const drawn = [...floors.keys()].filter((room) => room !== "client");
    expect(rooms.sort()).toEqual(drawn.sort());
    const homeless = below(`${house}/`).filter((file) => !floors.has(roomOf(file, house) ?? ""));
    expect(homeless.filter((file) => !NO_ROOMS.some((folder) => file.startsWith(folder)))).toEqual([]);
  });

  it("import only rooms on lower floors, so that they make no circle", () => {
    expect(upwardImports(files, house, floors)).toEqual([]);
  });
});

describe("the rooms of lib", () => {
  it("stand on db, which uses only the ground floor", () => {
    const imports = below("db/").flatMap((file) => readImports(file).map(({ to }) => ({ file, to })));
    const rooms = imports.filter(({ to }) => to.startsWith("lib/"));
    expect(rooms.length).toBeGreaterThan(0);
    expect(rooms.filter(({ to }) => roomOf(to, "lib") !== "base")).toEqual([]);
  });

  it("are compared with the drawing: an import up, or on the same floor, is found", () => {
    const drawn = readFloors("### lib\n\n```\n2  b  c\n1  a\n```\n", "lib");
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
    expect(upwardImports(Object.keys(imports), "lib", drawn, read)).toEqual([
      { file: "lib/a/x.ts", to: "lib/b/x" },
      { file: "lib/b/x.ts", to: "lib/c/x" },
    ]);
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

describe("the service", () => {
  it("is no client of itself: it takes tools, buyers and errors from the SDK, and no client", () => {
    const imports = below("lib/").flatMap((file) => readImports(file).map(({ to }) => ({ file, to })));
    const clients = /^sdk\/((halcyon-|node-)?client$|context|resources|session|cli|proxy)/;
    expect(imports.filter(({ file, to }) => !/\.test\.ts$/.test(file) && clients.test(to))).toEqual([]);
  });
});

describe("the root of sdk", () => {
  it("holds few files: the client and its documents", () => {
    expect(readdirSync("sdk", { withFileTypes: true }).filter((entry) => entry.isFile()).length).toBeLessThanOrEqual(
      MOST_AT_TOP,
    );
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
