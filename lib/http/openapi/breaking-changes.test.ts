import { expect, test } from "vitest";
import { breakingChanges } from "./breaking-changes";
import type { JsonObject } from "./types";

const released: JsonObject = {
  paths: {
    "/v1/things": {
      get: {
        operationId: "listThings",
        parameters: [{ name: "limit", required: false }],
        responses: {
          200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
          404: { $ref: "#/components/responses/NotFound" },
        },
      },
    },
  },
  webhooks: { "thing.made": { post: { operationId: "ThingMade", responses: {} } } },
  components: {
    responses: { NotFound: { "x-error-codes": ["not_found", "thing_not_found"] } },
    schemas: {
      Thing: {
        properties: { id: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
        required: ["id", "tags"],
      },
      MakeThing: {
        additionalProperties: false,
        properties: { name: { type: "string" }, kind: { type: "string", enum: ["a", "b"] } },
        required: [],
      },
    },
  },
};

test("a document breaks nothing of itself, nor by what it adds", () => {
  expect(breakingChanges(released, released)).toEqual([]);
  const more = JSON.parse(
    JSON.stringify(released)
      .replace('"id":{"type":"string"}', '"id":{"type":"string"},"more":{"type":"string"}')
      .replace('"enum":["a","b"]', '"enum":["a","b","c"]')
      .replace('"required":["id","tags"]', '"required":["id","tags","more"]')
      .replace('["not_found",', '["gone","not_found",'),
  ) as JsonObject;
  expect(breakingChanges(released, more)).toEqual([]);
});

test.each<[string, string, string]>([
  ["an operation that is gone", '"get":', '"put":'],
  ["an operation under another name", '"listThings"', '"getThings"'],
  ["an answer that is gone", '"200":', '"201":'],
  ["an answer of another schema", '"$ref":"#/components/schemas/Thing"', '"$ref":"#/components/schemas/MakeThing"'],
  ["an error code that is gone", '"thing_not_found"', '"other"'],
  ["a parameter that is gone", '"name":"limit"', '"name":"size"'],
  ["a parameter that must be sent", '"required":false', '"required":true'],
  ["a field of an answer that is gone", '"id":{"type":"string"},', ""],
  ["a field of an answer that may be missing", '"required":["id","tags"]', '"required":["id"]'],
  ["a field of another type", '"id":{"type":"string"}', '"id":{"type":"integer"}'],
  ["entries of another type", '"items":{"type":"string"}', '"items":{"type":"integer"}'],
  ["a field that must be sent", '"required":[]', '"required":["name"]'],
  ["a value that is refused", '"enum":["a","b"]', '"enum":["a"]'],
  ["an event that is gone", '"thing.made"', '"thing.broken"'],
])("%s breaks programs", (_, from, to) => {
  const text = JSON.stringify(released);
  expect(text).toContain(from);
  expect(breakingChanges(released, JSON.parse(text.replace(from, to)) as JsonObject).length).toBeGreaterThan(0);
});
