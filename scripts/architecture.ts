/*
 * Prints the lines between rooms that the diagram of docs/architecture.md has to show, in the order of its rooms.
 * The diagram is a decision: look at a new line before pasting it.
 *   node scripts/run.mjs scripts/architecture.ts
 */
import { readFileSync } from "node:fs";
import { edgesOf, readDiagram } from "./architecture/diagram";
import { sourceFiles } from "./architecture/imports";

const diagram = readDiagram(readFileSync("docs/architecture.md", "utf8"));
const edges = edgesOf(sourceFiles(), diagram);
for (const { name: from } of diagram.rooms) {
  for (const [kind, arrow] of [
    ["values", "-->"],
    ["types", "-.->"],
  ] as const) {
    const to = diagram.rooms.filter(({ name }) => edges.get(`${from} -> ${name}`)?.kind === kind);
    if (to.length > 0) console.log(`  ${from} ${arrow} ${to.map(({ name }) => name).join(" & ")}`);
  }
}
