import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "@/scripts/stack/config";
import { namesAmount } from "./names-amount";

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}
type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };
const document = JSON.parse(readFileSync(path.join(ROOT, "docs/openapi.json"), "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** A body with every field that a schema has. */
function fullest(schema: Schema, within: readonly string[] = []): unknown {
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) {
    const named = document.components.schemas[name];
    return named && !within.includes(name) ? fullest(named, [...within, name]) : {};
  }
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  if (schema.items) return [fullest(schema.items, within)];
  const own = Object.entries(schema.properties ?? {}).map(([field, of]) => [field, fullest(of, within)]);
  return Object.assign(Object.fromEntries(own), ...choices.map((one) => fullest(one, within)));
}

test("of all that the API takes, these bodies name an amount of a payment, and stay with the proxy", () => {
  const kept = Object.entries(document.paths).flatMap(([at, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content["application/json"]?.schema;
      return schema && namesAmount(fullest(schema)) ? [`${method} ${at}`] : [];
    }),
  );
  expect(kept.sort()).toEqual([
    "patch /v1/schedules/{schedule_id}",
    "post /v1/agents/{account_id}/spend-policy/simulate",
    "post /v1/payouts",
    "post /v1/schedules",
    "post /v1/transfers",
  ]);
});

test("an amount is found in every field, and not in what a client has built", () => {
  expect(namesAmount({ params: { arguments: [{ Amount: "1" }] } })).toBe(true);
  expect(namesAmount({ rows: [{ to: "@a", memo: "x" }] })).toBe(true);
  expect(namesAmount({ encrypted: { amounts: "1" } })).toBe(true);
  for (const body of [{}, [], "amount", null, { to: "@a", reference: "amount" }, { client_signed: { amount: "1" } }]) {
    expect(namesAmount(body)).toBe(false);
  }
});
