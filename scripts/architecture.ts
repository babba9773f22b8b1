/*
 * Prints the lines between rooms that the diagram of docs/architecture.md must have, in the order of its rooms. The
 * diagram is a decision: think about a new line before you paste it.
 *   node scripts/run.mjs scripts/architecture.ts
 */
import { readFileSync } from "node:fs";
import { edgesOf, IMPLIED, impliedEdges, readDiagram } from "./architecture/diagram";
import { sourceFiles } from "./architecture/imports";

const diagram = readDiagram(readFileSync("docs/architecture.md", "utf8"));
const rooms = diagram.rooms.map(({ name }) => name);
const found = edgesOf(sourceFiles(), diagram);
const edges = new Map<string, "values" | "types">(
  rooms.flatMap((from) =>
    rooms.flatMap((to) => {
      const kind = found.get(`${from} -> ${to}`)?.kind;
      return kind ? [[`${from} -> ${to}`, kind] as const] : [];
    }),
  ),
);
const implied = impliedEdges(edges);
for (const isImplied of [false, true]) {
  for (const from of rooms) {
    for (const [kind, arrow] of [
      ["values", "-->"],
      ["types", "-.->"],
    ] as const) {
      const to = rooms.filter((room) => {
        const edge = `${from} -> ${room}`;
        return edges.get(edge) === kind && implied.has(edge) === isImplied;
      });
      if (to.length > 0) console.log(`  ${isImplied ? IMPLIED : ""}${from} ${arrow} ${to.join(" & ")}`);
    }
  }
}
