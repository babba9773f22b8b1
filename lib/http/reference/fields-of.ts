import { at, list, type Node, resolve, text } from "./node";

/** A field of a body, as a row of a table. */
export interface ReferenceField {
  name: string;
  /** The type in words, such as `string`, `integer or null`, `list of Transfer`. */
  type: string;
  required: boolean;
  description: string;
  /** The allowed values, if there are few. */
  values: string[];
  /** The allowed numbers, lengths or counts in words; empty if there is no limit. */
  range: string;
  default?: Node;
  /** Fields of an object, or of the objects in a list. */
  fields: ReferenceField[];
}

/**
 * Returns the fields of an object's schema. For alternatives, returns the fields of all of them, each marked as
 * required only if every alternative requires it.
 */
export function documentedFields(document: Node, schema: Node | undefined): ReferenceField[] {
  const object = resolve(document, schema);
  const alternatives = [...list(object, "oneOf"), ...list(object, "anyOf")];
  if (alternatives.length > 0) return merged(alternatives.map((one) => documentedFields(document, one)));
  const required = list(object, "required");
  return Object.entries(at(object, "properties") ?? {}).map(([name, property]) =>
    fieldOf(document, name, property, required.includes(name)),
  );
}

function fieldOf(document: Node, name: string, property: Node, required: boolean): ReferenceField {
  const schema = resolve(document, property);
  const inner = at(schema, "items") ?? schema;
  const standard = at(schema, "default");
  return {
    name,
    type: typeOf(document, property),
    required,
    description: text(property, "description") || text(schema, "description"),
    values: valuesOf(document, schema),
    range: allowedRange(schema),
    ...(standard === undefined ? {} : { default: standard }),
    fields: documentedFields(document, inner),
  };
}

/** Returns the values that a schema, or the entries of its list, can have; empty if they are not enumerated. */
export function valuesOf(document: Node, schema: Node): string[] {
  const constant = at(schema, "const");
  if (constant !== undefined) return [String(constant)];
  const inner = resolve(document, at(schema, "items") ?? schema);
  return list(inner, "enum").flatMap((value) => (value === null ? [] : [String(value)]));
}

/** Returns the bounds of a number or of a list's length, in words; empty if there are none. */
export function allowedRange(schema: Node): string {
  const numbers = between(at(schema, "minimum"), at(schema, "maximum"));
  if (numbers) return numbers;
  const entries = between(at(schema, "minItems"), at(schema, "maxItems"));
  return entries && `${entries} entries`;
}

function between(least: Node | undefined, most: Node | undefined): string {
  const [from, to] = [least, most].map((bound) => Number(bound).toLocaleString("en-US"));
  if (least !== undefined && most !== undefined) return `${from} to ${to}`;
  if (least !== undefined) return `${from} or more`;
  return most === undefined ? "" : `at most ${to}`;
}

function typeOf(document: Node, property: Node): string {
  const reference = at(property, "$ref");
  if (typeof reference === "string") return reference.split("/").at(-1) ?? "";
  const alternatives = [...list(property, "anyOf"), ...list(property, "oneOf")];
  if (alternatives.length > 0) return alternatives.map((one) => typeOf(document, one)).join(" or ");
  const items = at(property, "items");
  if (items !== undefined) return `list of ${typeOf(document, items)}`;
  const type = at(property, "type");
  return Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
}

function merged(alternatives: ReferenceField[][]): ReferenceField[] {
  const names = [...new Set(alternatives.flatMap((fields) => fields.map(({ name }) => name)))];
  return names.map((name) => {
    const found = alternatives.flatMap((fields) => fields.filter((field) => field.name === name));
    const [first] = found;
    if (!first) throw new Error("a field of no alternative");
    return {
      ...first,
      required: found.length === alternatives.length && found.every(({ required }) => required),
      values: [...new Set(found.flatMap(({ values }) => values))],
    };
  });
}
