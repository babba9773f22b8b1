import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Edge, edgesOf, holds, leadsTo, readDiagram, roomOf } from "./architecture/diagram";
import { kebab, singleExport } from "./architecture/exports";
import { cyclesOf, moduleFolder, ownFolder } from "./architecture/folders";
import { type Import, importsOf, readImports, sourceFiles } from "./architecture/imports";

/** Trees whose folders are modules. No two of them may import each other, directly or indirectly, types included. */
const MODULES: [name: string, ...roots: string[]][] = [
  ["lib and db", "lib", "db"],
  ["sdk", "sdk"],
  ["components", "components"],
];

/** Files at a tree's root are for things that everyone looks for there, so there may be only a few. */
const MOST_AT_ROOT = 15;

/** Trees whose files are named after the function or class they export, if it is their only exported value. */
const NAMED = ["lib", "db", "sdk"];

/** Files in which the types matter more than the one function. */
const NAMED_OTHERWISE = [
  "lib/ledger/crypto/scope.ts",
  "sdk/attempts/attempt-options.ts",
  "sdk/chain/wallet.ts",
  "sdk/session/session-calls.ts",
  // The same class for two platforms.
  "sdk/package/api.ts",
  "sdk/package/browser.ts",
  "sdk/package/node.ts",
];

const diagram = readDiagram(readFileSync("docs/architecture.md", "utf8"));
let files: string[] = [];
let edges = new Map<string, Edge>();

beforeAll(() => {
  files = sourceFiles();
  edges = edgesOf(files, diagram);
});

describe("the diagram of docs/architecture.md", () => {
  it("gives every source file one room, and every room a file", () => {
    const homeless = files.filter((file) => roomOf(file, diagram).length !== 1);
    expect(homeless.map((file) => `${file} stands in ${roomOf(file, diagram).join(" and ") || "no room"}`)).toEqual([]);
    const places = diagram.rooms.flatMap((room) => room.places);
    expect(places.filter((place) => !existsSync(place) && !files.some((file) => holds(place, file)))).toEqual([]);
  });

  it("shows every import between rooms", () => {
    const missing = [...edges].filter(([edge]) => !diagram.edges.has(edge));
    expect(
      missing.map(
        ([
          edge,
          {
            kind,
            files: [file],
          },
        ]) => `${edge} (${kind}) is not drawn: ${file}`,
      ),
    ).toEqual([]);
  });

  it("draws every import but those to rooms where other arrows lead", () => {
    const drawn = new Map([...diagram.edges].filter(([edge]) => !diagram.implied.has(edge)));
    const hidden = [...diagram.implied].filter((edge) => {
      const [from = "", to = ""] = edge.split(" -> ");
      return !leadsTo(from, to, diagram.edges.get(edge) ?? "values", drawn);
    });
    expect(hidden).toEqual([]);
  });

  it("has a room for each folder of lib", () => {
    const places = diagram.rooms.flatMap((room) => (room.places.some((one) => one.startsWith("lib/")) ? [room] : []));
    const shared = places.filter((room) => room.places.filter((one) => one.endsWith("/")).length > 1);
    expect(shared.map(({ name }) => name)).toEqual([]);
  });

  it("shows no import that is not there", () => {
    expect([...diagram.edges.keys()].filter((edge) => !edges.has(edge))).toEqual([]);
  });

  it("draws a line with dots where types alone are imported, and only there", () => {
    const wrong = [...edges].filter(([edge, { kind }]) => diagram.edges.get(edge) !== kind && diagram.edges.has(edge));
    expect(
      wrong.map(
        ([
          edge,
          {
            kind,
            files: [file],
          },
        ]) => `${edge} is of ${kind}: ${file}`,
      ),
    ).toEqual([]);
  });
});

describe.each(MODULES)("the folders of %s", (_name, ...roots) => {
  const own = () => files.filter((file) => roots.some((root) => file.startsWith(`${root}/`)));

  it("are modules: imports between them make no cycle", () => {
    expect(cyclesOf(own(), readImports, moduleFolder)).toEqual([]);
  });

  it("make no cycle either when each folder below another counts by itself", () => {
    expect(cyclesOf(own(), readImports, ownFolder)).toEqual([]);
  });
});

const below = (folder: string) => files.filter((file) => file.startsWith(folder));

describe.each(["lib", "db", "components"])("the files of %s", (root) => {
  it("don't import each other in a cycle, types included", () => {
    expect(cyclesOf(below(`${root}/`), readImports, (file) => file)).toEqual([]);
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

describe("a file that exports a single function or class", () => {
  it("is named after it, serialisers of a resource aside", () => {
    const own = files.filter((file) => NAMED.some((root) => file.startsWith(`${root}/`)));
    const wrong = own.flatMap((file) => {
      const name = singleExport(readFileSync(file, "utf8"));
      const base = path.basename(file).replace(/\.tsx?$/, "");
      const isRight = name === undefined || kebab(name) === base || base.endsWith("-resource");
      return isRight ? [] : [`${file} exports ${name}`];
    });
    expect(wrong.filter((text) => !NAMED_OTHERWISE.some((file) => text.startsWith(`${file} `)))).toEqual([]);
  });

  it("is recognised by its exports: types and second values don't count", () => {
    expect(singleExport("export type A = 1;\nexport async function readThing() {}\nconst b = 1;")).toBe("readThing");
    expect(singleExport("export const readThing = (a: A): B => a;")).toBe("readThing");
    expect(singleExport("export class Thing {}\nexport const MOST = 5;")).toBeUndefined();
    expect(singleExport("export const MOST = 5;")).toBeUndefined();
    expect(kebab("readURLOf")).toBe("read-url-of");
  });
});

describe("reading imports", () => {
  const read = (source: string) => importsOf("lib/accounts/keys/x.ts", source).map(({ to, kind }) => `${to} ${kind}`);

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
      "lib/accounts/keys/side values",
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
