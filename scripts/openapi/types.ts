import path from "node:path";

/** The type of 0x words; the escape keeps the linter from taking it for a template. */
const HEX_TYPE = "`0x\u0024{string}`";

/** The part of JSON Schema 2020-12 that the document's schemas are written in. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
}

/** Where the client's types of the API lie. */
export const RESOURCES = path.resolve(import.meta.dirname, "../../sdk/api/resources.ts");

const HEAD = `/*
 * The API's requests and responses as types. Generated from docs/openapi.json, which is made of the schemas that the routes
 * parse and serialise with. Do not edit: npm run openapi
 */
`;

/**
 * The document's schemas as TypeScript, each under its own name, with its descriptions as comments.
 *
 * @param document the text of docs/openapi.json
 */
export function typesOf(document: string): string {
  const { components } = JSON.parse(document) as { components: { schemas: Record<string, Schema> } };
  const types = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema, "")}${typed(name, schema)}`,
  );
  return `${HEAD}\n${types.join("\n")}`;
}

function typed(name: string, schema: Schema): string {
  if (schema.properties) return `export interface ${name} ${object(schema, "")}\n`;
  return `export type ${name} = ${typeOf(schema, "")};\n`;
}

function comment({ description }: Schema, indent: string): string {
  return description ? `${indent}/** ${description.replaceAll("*/", "*\\/")} */\n` : "";
}

function object({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? "" : "?";
    return `${comment(schema, inner)}${inner}${name}${mark}: ${typeOf(schema, inner)};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return union.map((each) => typeOf(each, indent)).join(" | ");
  const names = [schema.type ?? []].flat();
  if (names.length === 0) return "unknown";
  return names.map((name) => named(name, schema, indent)).join(" | ");
}

function named(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case "object":
      return schema.properties ? object(schema, indent) : "Record<string, unknown>";
    case "array": {
      const items = typeOf(schema.items ?? {}, indent);
      return / \| /.test(items) && !items.startsWith("{") ? `(${items})[]` : `${items}[]`;
    }
    case "integer":
      return "number";
    case "string":
      return schema.pattern?.startsWith("^0x") ? HEX_TYPE : "string";
    default:
      return type;
  }
}
