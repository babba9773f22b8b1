import path from "node:path";

/** The type of 0x texts. The escape keeps the linter from taking it for a template literal. */
const HEX_TYPE = "`0x\u0024{string}`";

/** The part of JSON Schema 2020-12 that the document's schemas use. */
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

interface Document {
  tags: { name: string }[];
  paths: Record<string, Record<string, { tags?: string[] }>>;
  components: { schemas: Record<string, Schema> };
}

/** The folder of the SDK's API types. */
export const RESOURCES = path.resolve(import.meta.dirname, "../../sdk/api/resources");

const HEAD = `/*
 * Requests and responses of the API as types. Generated from docs/openapi.json, which comes from the schemas that the
 * routes parse and serialise with. Do not edit: npm run openapi
 */
`;

/**
 * Returns the document's schemas as TypeScript files, one per resource, by file name. Each schema becomes a type of the
 * same name, with its descriptions as comments.
 *
 * @param text of docs/openapi.json
 */
export function typesOf(text: string): ReadonlyMap<string, string> {
  const document = JSON.parse(text) as Document;
  const { schemas } = document.components;
  const files = filesOf(document);
  const fileOf = new Map([...files].flatMap(([file, names]) => names.map((name) => [name, file] as const)));
  const rendered = [...files].map(([file, names]) => {
    const types = names.map((name) => {
      const schema = schemas[name] as Schema;
      return `${comment(schema, "")}${typed(name, schema)}`;
    });
    const others = [...new Set(names.flatMap((name) => references(schemas[name])))].sort();
    return [`${file}.ts`, [HEAD, ...importsOf(others, file, fileOf), types.join("\n")].join("\n")] as const;
  });
  return new Map(rendered);
}

/** Documents of payments, signed or to be signed: in one file, whichever operation takes them. */
const SIGNED = /^(Uns|S)igned(?!Policy)[A-Z]/;

/** Assigns schemas to files: `signed-payments`, else the first tag whose operations use a schema, else `shared`. */
function filesOf({ tags, paths, components: { schemas } }: Document): ReadonlyMap<string, string[]> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const users = tags.map(({ name: tag }) => {
    const used = new Set<string>();
    const use = (name: string) => {
      if (used.has(name)) return;
      used.add(name);
      references(schemas[name]).forEach(use);
    };
    for (const operation of operations) if (operation.tags?.includes(tag)) references(operation).forEach(use);
    return { file: tag.toLowerCase().replaceAll(" ", "-"), used };
  });
  const fileOf = (name: string) => users.find(({ used }) => used.has(name))?.file ?? "shared";
  return groupBy(Object.keys(schemas), (name) => (SIGNED.test(name) ? "signed-payments" : fileOf(name)));
}

function importsOf(names: string[], file: string, fileOf: ReadonlyMap<string, string>): string[] {
  const others = groupBy(
    names.filter((name) => fileOf.get(name) !== file),
    (name) => fileOf.get(name) ?? "",
  );
  const lines = [...others].map(([from, list]) => `import type { ${list.join(", ")} } from "./${from}";`).sort();
  return lines.length > 0 ? [`${lines.join("\n")}\n`] : [];
}

function groupBy(names: string[], keyOf: (name: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(keyOf(name), [...(groups.get(keyOf(name)) ?? []), name]);
  return groups;
}

/** Returns the names of the schemas that a part of the document refers to. */
function references(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  const own = "$ref" in part && typeof part.$ref === "string" ? [nameIn(part.$ref)] : [];
  return [...own, ...Object.values(part).flatMap(references)];
}

const nameIn = (ref: string) => ref.split("/").at(-1) ?? "";

function typed(name: string, schema: Schema): string {
  if (schema.properties) return `export interface ${name} ${object(schema, "")}\n`;
  return `export type ${name} = ${typeOf(schema, "")};\n`;
}

/** The length of a comment's lines. */
const WIDTH = 120;

function comment({ description }: Schema, indent: string): string {
  if (!description) return "";
  const text = description.replaceAll("*/", "*\\/");
  const line = `${indent}/** ${text} */\n`;
  if (line.length <= WIDTH + 1) return line;
  const start = `${indent} * `;
  const lines = [start];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    const longer = last === start ? last + word : `${last} ${word}`;
    if (longer.length <= WIDTH || last === start) lines[lines.length - 1] = longer;
    else lines.push(start + word);
  }
  return [`${indent}/**`, ...lines, `${indent} */`, ""].join("\n");
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
  if (schema.$ref) return nameIn(schema.$ref);
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
