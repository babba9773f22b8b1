import { fileOf, type Import, readImports } from "./imports";

export interface Room {
  name: string;
  /** `lib/accounts/keys/`: everything below the folder; `lib/*.ts`: only the files directly in it; otherwise a single file. */
  places: string[];
}

export interface Diagram {
  rooms: Room[];
  /** `from -> to`, with whether values or only types are imported. */
  edges: Map<string, Import["kind"]>;
  /** Edges that are listed but not drawn, because other arrows already lead there. */
  implied: Set<string>;
  /** Rooms that everyone may import. Arrows to them are not drawn. */
  common: Set<string>;
  /** Rooms that import what they build, start or measure. Arrows from them are not drawn. */
  tools: Set<string>;
}

/** An edge in the source tree, with the files that cause it. */
export interface Edge {
  kind: Import["kind"];
  files: string[];
}

/** Parses the first mermaid block of a document. */
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
  const read = (arrows: string): [string, Import["kind"]][] => {
    const [, from, arrow, to = ""] = /^(\w+) (-->|-\.->) (.+)$/.exec(arrows) ?? [];
    return to === "" ? [] : to.split(" & ").map((each) => [`${from} -> ${each}`, arrow === "-->" ? "values" : "types"]);
  };
  const drawn = lines.flatMap(read);
  const implied = lines.flatMap((line) => (line.startsWith(IMPLIED) ? read(line.slice(IMPLIED.length)) : []));
  return {
    rooms,
    edges: new Map([...drawn, ...implied]),
    implied: new Set(implied.map(([edge]) => edge)),
    common: listed("common"),
    tools: listed("tools"),
  };
}

/** Begins the line with the edges that are listed but not drawn. */
export const IMPLIED = "%% implied: ";

/**
 * Returns the edges that need not be drawn because other arrows connect the two rooms already (arrows of values, if
 * values are imported). The remaining edges reach the same rooms.
 */
export function impliedEdges(edges: ReadonlyMap<string, Import["kind"]>): Set<string> {
  const drawn = new Map(edges);
  // From the last room of the diagram to its first, so that edges between neighbors stay.
  for (const [edge, kind] of [...edges].reverse()) {
    drawn.delete(edge);
    const [from = "", to = ""] = edge.split(" -> ");
    if (!leadsTo(from, to, kind, drawn)) drawn.set(edge, kind);
  }
  return new Set([...edges.keys()].filter((edge) => !drawn.has(edge)));
}

/** Reports whether arrows lead from one room to another. Arrows of types count only if `kind` is types. */
export function leadsTo(
  from: string,
  to: string,
  kind: Import["kind"],
  edges: ReadonlyMap<string, Import["kind"]>,
): boolean {
  const seen = new Set([from]);
  for (const room of seen) {
    for (const [edge, has] of edges) {
      const [start, end = ""] = edge.split(" -> ");
      if (start === room && (has === "values" || kind === "types")) seen.add(end);
    }
    if (room !== from && room === to) return true;
  }
  return false;
}

/** Reports whether a place of a room contains a file. */
export function holds(place: string, file: string): boolean {
  if (place.endsWith("/")) return file.startsWith(place);
  const [folder, extension] = place.split("*");
  if (extension === undefined || folder === undefined) return file === place;
  const rest = file.startsWith(folder) ? file.slice(folder.length) : "/";
  return !rest.includes("/") && rest.endsWith(extension);
}

/** Returns the rooms that contain a file, which should be exactly one. */
export function roomOf(file: string, { rooms }: Pick<Diagram, "rooms">): string[] {
  return rooms.filter(({ places }) => places.some((place) => holds(place, file))).map(({ name }) => name);
}

/** Returns the imports between rooms that a diagram of these files must show. */
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
