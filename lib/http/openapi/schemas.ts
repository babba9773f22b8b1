import { z } from "zod";
import type { Json, JsonObject } from "./types";

/** Kept beside a schema's `wire`, which stands for the rest. */
const KEPT = ["title", "description", "examples", "deprecated"];

/** Turns zod schemas into those of the document; schemas with an id are written once and referred to. */
export class Schemas {
  private readonly found = new Map<string, Json>();

  /** The schema of what is sent (`input`) or answered (`output`). @throws for two schemas with one id */
  of(schema: z.ZodType, io: "input" | "output"): Json {
    // Inside an object even a schema with an id is a reference.
    const { $defs, properties } = z.toJSONSchema(z.object({ schema }), { io, unrepresentable: "any" });
    for (const [id, definition] of Object.entries($defs ?? {})) this.keep(id, tidy(definition as Json, io));
    return tidy(properties?.schema as Json, io);
  }

  /** Every schema with an id, sorted by it. */
  components(): JsonObject {
    return Object.fromEntries([...this.found].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private keep(id: string, definition: Json): void {
    const before = this.found.get(id);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(definition)) {
      throw new Error(`two different schemas have the id ${id}`);
    }
    this.found.set(id, definition);
  }
}

function tidy(node: Json, io: "input" | "output"): Json {
  if (Array.isArray(node)) return node.map((entry) => tidy(entry, io));
  if (typeof node !== "object" || node === null) return node;
  const { wire, ...rest } = node;
  const kept: JsonObject = wire === undefined ? rest : { ...(wire as JsonObject) };
  for (const key of KEPT) {
    const value = rest[key];
    if (value !== undefined) kept[key] = value;
  }
  if (kept.format === "date-time") delete kept.pattern;
  // Answers may gain fields; requests may not bring others.
  if (io === "output" && kept.additionalProperties === false) delete kept.additionalProperties;
  delete kept.propertyNames;
  return Object.fromEntries(
    Object.entries(kept).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string"
        ? value.replace("#/$defs/", "#/components/schemas/")
        : tidy(value as Json, io),
    ]),
  );
}
