import { z } from "zod";
import type { Json, JsonObject } from "./types";

/** Fields of a schema that are kept if its `wire` replaces the rest. */
const KEPT = ["title", "description", "examples", "deprecated"];

/**
 * How a schema is used. Request bodies never have `default`, because code generators treat fields with a default as
 * required (openapi-typescript). The description mentions the default instead.
 */
type Use = "input" | "query" | "output";

/** Converts zod schemas to those of the document. Schemas with an id are listed once and referred to. */
export class Schemas {
  private readonly found = new Map<string, Json>();

  /**
   * Returns the schema of a request's body (`input`) or query, or of a response (`output`).
   *
   * @throws Error if two different schemas have the same id
   */
  of(schema: z.ZodType, use: Use): Json {
    const io = use === "output" ? "output" : "input";
    // Only inside an object does a schema with an id become a reference.
    const { $defs, properties } = z.toJSONSchema(z.object({ schema }), { io, unrepresentable: "any" });
    for (const [id, definition] of Object.entries($defs ?? {})) this.keep(id, tidy(definition as Json, use));
    return tidy(properties?.schema as Json, use);
  }

  /** Returns every schema with an id, sorted by id. */
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

function tidy(node: Json, use: Use): Json {
  if (Array.isArray(node)) return node.map((entry) => tidy(entry, use));
  if (typeof node !== "object" || node === null) return node;
  const { wire, ...rest } = node;
  const kept: JsonObject = wire === undefined ? rest : { ...(wire as JsonObject) };
  for (const key of KEPT) {
    const value = rest[key];
    if (value !== undefined) kept[key] = value;
  }
  if (kept.format === "date-time") delete kept.pattern;
  // Responses may gain fields; requests may not contain unknown ones.
  if (use === "output" && kept.additionalProperties === false) delete kept.additionalProperties;
  delete kept.propertyNames;
  if (use === "input" && kept.default !== undefined) {
    const standard = kept.default;
    delete kept.default;
    if (typeof standard !== "object") {
      kept.description = `${kept.description ?? ""} Defaults to \`${standard}\`.`.trim();
    }
  }
  return Object.fromEntries(
    Object.entries(kept).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string"
        ? value.replace("#/$defs/", "#/components/schemas/")
        : tidy(value as Json, use),
    ]),
  );
}
