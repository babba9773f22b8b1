import { fileOf, type Import, readImports } from "./imports";

export interface Room {
  name: string;
  /** `lib/keys/`: everything below; `lib/*.ts`: the files in it alone; else one file. */
  places: string[];
}

export interface Diagram {
  rooms: Room[];
  /** `from -> to`, and whether values or types alone are imported. */
  edges: Map<string, Import["kind"]>;
  /** Rooms everybody may import; lines to them are not drawn. */
  common: Set<string>;
  /** Rooms that import whatever they build, start or measure; no lines from them are drawn. */
  tools: Set<string>;
}

/** An edge of the tree, with the files that make it. */
export interface Edge {
  kind: Import["kind"];
  files: string[];
}

/** Reads the first mermaid block of a document. */
export function readDiagram(document: string): Diagram {
  const [, block] = /```mermaid\n([\s\S]*?)```/.exec(document) ?? [];
  if (!block) throw new Error("There is no mermaid diagram.");
  const lines = block.split("\n").map((line) => line.trim());
  const listed = (name: string) =>
    new Set(lines.flatMap((line) => (line.startsWith(`%% ${name}: `) ? line.slice(name.length + 5).split(" ") : [])));
  const rooms = lines.flatMap((line) => {
    const [, name, label] = /^(\w+)\["(.*)"\]$/.exec(line) ?? [];
    if (!name || !label) return [];
    const words = label.replace(/<[^>]+>/g, " ").split(/\s+/);
    return [{ name, places: words.filter((word) => word.includes("/") || /\.tsx?$/.test(word)) }];
  });
  const edges = lines.flatMap((line): [string, Import["kind"]][] => {
    const [, from, arrow, to = ""] = /^(\w+) (-->|-\.->) (.+)$/.exec(line) ?? [];
    return to === "" ? [] : to.split(" & ").map((each) => [`${from} -> ${each}`, arrow === "-->" ? "values" : "types"]);
  });
  return { rooms, edges: new Map(edges), common: listed("common"), tools: listed("tools") };
}

/** Whether a place of a room holds a file. */
export function holds(place: string, file: string): boolean {
  if (place.endsWith("/")) return file.startsWith(place);
  const [folder, extension] = place.split("*");
  if (extension === undefined || folder === undefined) return file === place;
  const rest = file.startsWith(folder) ? file.slice(folder.length) : "/";
  return !rest.includes("/") && rest.endsWith(extension);
}

/** The rooms a file stands in; it should be one. */
export function roomOf(file: string, { rooms }: Pick<Diagram, "rooms">): string[] {
  return rooms.filter(({ places }) => places.some((place) => holds(place, file))).map(({ name }) => name);
}

/** The imports between rooms that a diagram of these files has to show. */
export function edgesOf(files: string[], diagram: Diagram): Map<string, Edge> {
  const edges = new Map<string, Edge>();
  for (const file of files) {
    const [from] = roomOf(file, diagram);
    if (from === undefined || diagram.tools.has(from)) continue;
    for (const { to: name, kind } of readImports(file)) {
      const [to] = roomOf(fileOf(name), diagram);
      if (to === undefined || to === from || diagram.common.has(to)) continue;
      const edge = edges.get(`${from} -> ${to}`) ?? { kind: "types", files: [] };
      edges.set(`${from} -> ${to}`, {
        kind: kind === "values" ? kind : edge.kind,
        files: kind === "values" ? [file, ...edge.files] : [...edge.files, file],
      });
    }
  }
  return edges;
}
